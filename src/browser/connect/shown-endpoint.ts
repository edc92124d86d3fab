/** Texts shorter than this are not replaced: they are words of a message, not a credential. */
const shortestCredential = 6;

/** The endpoint without its path, query and login, which are the key at many services. */
export function shownEndpoint(endpoint: string): string {
  if (!URL.canParse(endpoint)) return 'an address that is none';
  const { protocol, host } = new URL(endpoint);
  return `${protocol}//${host}`;
}

/**
 * A message about an endpoint without its credentials. Messages contain other addresses than the configured one too: that of
 * `/json/version`, and what the server answers there.
 */
export function withoutCredentials(message: string, endpoint: string): string {
  const plain = message.replaceAll(/\b(?:http|ws)s?:\/\/[^\s"'<>]+/gi, (url) => shownEndpoint(url));
  return credentialsOf(endpoint).reduce((text, credential) => text.replaceAll(credential, '[REDACTED]'), plain);
}

function credentialsOf(endpoint: string): readonly string[] {
  if (!URL.canParse(endpoint)) return [];
  const { username, password, pathname, searchParams } = new URL(endpoint);
  const encoded = [username, password, ...pathname.split('/')];
  const texts = [...encoded, ...encoded.map(decoded), ...searchParams.values()];
  return texts.filter((text) => text.length >= shortestCredential && !ordinary.has(text));
}

/** Segments of paths that are the same at every service. */
const ordinary = new Set(['devtools', 'browser', 'chromium', 'chrome', 'playwright', 'json', 'version']);

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
