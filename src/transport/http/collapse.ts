/** The JSON body for a client that takes no event stream: the responses in it, without notifications. */
export async function collapse(answer: Response, isBatch: boolean): Promise<Response> {
  if (!isEventStream(answer)) return answer;
  const responses = [...(await answer.text()).matchAll(/^data: (.+)$/gm)].flatMap(([, data = '']) => {
    const message: unknown = JSON.parse(data);
    const isResponse = typeof message === 'object' && message !== null && !('method' in message);
    return isResponse ? [message] : [];
  });
  const headers = new Headers({ 'Content-Type': 'application/json' });
  const session = answer.headers.get('mcp-session-id');
  if (session !== null) headers.set('Mcp-Session-Id', session);
  const [first] = responses;
  // A cancelled request has no response.
  if (first === undefined) return new Response(null, { status: 202 });
  return new Response(JSON.stringify(isBatch ? responses : first), { status: answer.status, headers });
}

export function isEventStream(answer: Response): boolean {
  return /^text\/event-stream\b/i.test(answer.headers.get('content-type') ?? '');
}

/** The form that a client accepts, by its Accept header; undefined for neither. A missing header means anything. */
export function acceptedForm(accept: string | undefined): 'json' | 'stream' | undefined {
  const types = (accept ?? '*/*').split(',').map((type) => type.split(';')[0]?.trim().toLowerCase() ?? '');
  if (types.includes('text/event-stream')) return 'stream';
  return types.some((type) => ['application/json', 'application/*', '*/*'].includes(type)) ? 'json' : undefined;
}
