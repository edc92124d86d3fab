/** A proxy as an operator or a caller names it; the address may carry the user's name and password. */
export interface ProxyChoice {
  readonly server: string;
  readonly bypass?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/** The same as Playwright takes it. */
export interface ProxyRoute {
  readonly server: string;
  readonly bypass?: string;
  readonly username?: string;
  readonly password?: string;
}

const schemes = new Set(['http:', 'https:', 'socks4:', 'socks5:']);

/** What keeps a proxy from being used, if anything. */
export function proxyProblem(choice: ProxyChoice): string | undefined {
  const url = parse(choice.server);
  if (url === undefined) {
    return 'is not the address of a proxy, which reads http://host:3128 or socks5://host:1080';
  }
  const { username, password } = loginOf(choice, url);
  if (url.protocol !== 'socks4:' || (username === undefined && password === undefined)) return undefined;
  return 'is a SOCKS 4 proxy, which knows no passwords; use one of SOCKS 5 or HTTP';
}

/** Playwright drops a name and a password that stand in the address: they are put where it looks for them. */
export function proxyRoute(choice: ProxyChoice): ProxyRoute {
  const { server, bypass } = choice;
  const url = parse(server);
  if (url === undefined) return { server };
  const { username, password } = loginOf(choice, url);
  return {
    server: addressOf(url),
    ...(bypass === undefined ? {} : { bypass }),
    ...(username === undefined ? {} : { username }),
    ...(password === undefined ? {} : { password }),
  };
}

/** A SOCKS proxy that wants to know who is asking: browsers do not tell it. */
export function needsLogin(choice: ProxyChoice | undefined): boolean {
  const url = choice === undefined ? undefined : parse(choice.server);
  if (choice === undefined || url === undefined) return false;
  return url.protocol === 'socks5:' && loginOf(choice, url).username !== undefined;
}

function loginOf({ username, password }: ProxyChoice, url: URL): Pick<ProxyChoice, 'username' | 'password'> {
  return {
    username: username ?? decoded(url.username),
    password: password ?? decoded(url.password),
  };
}

function decoded(part: string): string | undefined {
  if (part === '') return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    // A lone percent sign, which was meant as one.
    return part;
  }
}

function addressOf({ protocol, host }: URL): string {
  return `${protocol}//${host}`;
}

function parse(server: string): URL | undefined {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(server) ? server : `http://${server}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && url.hostname !== '' && schemes.has(url.protocol) ? url : undefined;
}
