import type { Request, Response } from 'playwright-core';
import type { TypedSecrets } from '../../policy/typed-secrets.ts';
import type { NetworkEntry } from './network-log.ts';

/** Keys of forms and JSON whose values are credentials. */
const secretKeys = 'pass(?:word|wd|phrase|code)?|pwd|otp|cvc|cvv|(?:client_)?secret|(?:access_|refresh_|id_)?token';
const secretPairs: readonly RegExp[] = [
  new RegExp(String.raw`(?<=(?:^|[?&;])[\w.[\]-]*(?:${secretKeys})[\]]?=)[^&\s]+`, 'gi'),
  new RegExp(String.raw`(?<="[\w.-]*(?:${secretKeys})"\s*:\s*")(?:[^"\\]|\\.)+`, 'gi'),
];
const shortestSecret = 4;
const secretHeaders =
  /^(?:(?:proxy-)?authorization|(?:set-)?cookie2?|.*(?:token|secret|password|api-?key|access-?key|credential|session-?id|signature).*)$/i;

/** Whether the value of a header is a credential. */
export function isSecretHeader(name: string): boolean {
  return secretHeaders.test(name);
}

/** Null without a response yet: `response()` would wait. */
export async function answerOf(request: Request): Promise<Response | null> {
  return request.timing().responseStart >= 0 ? request.response().catch(() => null) : null;
}

/** A request as data. */
export interface RequestFacts {
  readonly url: string;
  readonly method: string;
  /** Absent without a response. */
  readonly status?: number;
  readonly resourceType: string;
  /** In milliseconds; the duration is absent while the request is pending. */
  readonly timing: { readonly startTime: number; readonly duration?: number };
  readonly failure?: string;
}

export async function requestFacts({ request, startedAt }: NetworkEntry): Promise<RequestFacts> {
  const answer = await answerOf(request);
  const failure = request.failure()?.errorText;
  return {
    url: request.url(),
    method: request.method(),
    ...(answer === null ? {} : { status: answer.status() }),
    resourceType: request.resourceType(),
    timing: timingOf(request, startedAt),
    ...(failure === undefined ? {} : { failure }),
  };
}

/** The browser reports no start for a request that was blocked or mocked. */
function timingOf(request: Request, startedAt: number): RequestFacts['timing'] {
  const { startTime, responseStart, responseEnd } = request.timing();
  const end = responseEnd >= 0 ? responseEnd : responseStart;
  return {
    startTime: Math.round(startTime > 0 ? startTime : performance.timeOrigin + startedAt),
    ...(end < 0 ? {} : { duration: Math.round(end) }),
  };
}

function inForm(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}

/** Redacts text from secret fields, and values that the page sends under secret names. */
export function withoutSecrets(
  text: string,
  { typedSecrets }: { readonly typedSecrets: TypedSecrets },
  isSent: boolean,
): string {
  const typed = typedSecrets.all.filter((value) => value.length >= shortestSecret);
  const forms = typed.flatMap((value) => [
    value,
    inForm(value),
    inForm(value).replaceAll('+', '%20'),
    JSON.stringify(value).slice(1, -1),
  ]);
  const plain = forms.reduce((shown, form) => shown.replaceAll(form, '[REDACTED]'), text);
  return isSent ? secretPairs.reduce((shown, pair) => shown.replaceAll(pair, '[REDACTED]'), plain) : plain;
}
