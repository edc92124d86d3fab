/** A proxy as the operator or a caller names it; the URL may contain credentials. */
export interface ProxyChoice {
  readonly server: string;
  readonly bypass?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
}

/** The proxy option of Playwright. */
export interface ProxyRoute {
  readonly server: string;
  readonly bypass?: string;
  readonly username?: string;
  readonly password?: string;
}

const schemes = new Set(['http:', 'https:', 'socks4:', 'socks5:']);

/** Why a proxy cannot be used, if so. */
export function proxyProblem(choice: ProxyChoice): string | undefined {
  const url = parse(choice.server);
  if (url === undefined) {
    return 'is not a proxy URL, such as http://host:3128 or socks5://host:1080';
  }
  const { username, password } = loginOf(choice, url);
  if (url.protocol !== 'socks4:' || (username === undefined && password === undefined)) return undefined;
  return 'is a SOCKS 4 proxy, which does not support passwords; use SOCKS 5 or HTTP';
}

/** Moves credentials out of the URL, where Playwright ignores them. */
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

/** Whether it is a SOCKS proxy with a login, which browsers do not support. */
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
    // A literal percent sign.
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
