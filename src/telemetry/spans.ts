import { SpanKind, SpanStatusCode, TraceFlags, context, trace } from '@opentelemetry/api';
import type { Context, Span, Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { ServerEvent } from '../events/event.ts';
import { settlesWithin } from '../util/signals.ts';

export interface SpanOptions {
  /** Base URL of the collector; `/v1/traces` is added unless it is there. */
  readonly endpoint: string;
  readonly name: string;
  readonly version: string;
}

const flushLimitMs = 3000;
const longestId = 200;

/** Sends a span for each call to an OpenTelemetry collector. */
export class CallSpans implements AsyncDisposable {
  readonly #provider: BasicTracerProvider;
  readonly #tracer: Tracer;
  readonly #open = new Map<string, Span>();

  constructor({ endpoint, name, version }: SpanOptions) {
    const exporter = new OTLPTraceExporter({ url: tracesUrl(endpoint) });
    this.#provider = new BasicTracerProvider({
      resource: resourceFromAttributes({ 'service.name': name, 'service.version': version }),
      spanProcessors: [new BatchSpanProcessor(exporter)],
    });
    this.#tracer = this.#provider.getTracer('pagehelm', version);
  }

  on(event: ServerEvent): void {
    if (event.type === 'call.started') this.#start(event);
    if (event.type === 'call.ended') this.#end(event);
  }

  /** Sends what is left, within a limit: a collector that does not answer must not hold up the end. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const span of this.#open.values()) span.end();
    this.#open.clear();
    await settlesWithin(this.#provider.shutdown(), flushLimitMs);
  }

  #start({ call, tool, session, at, trace: parent }: ServerEvent & { readonly type: 'call.started' }): void {
    const attributes = {
      'mcp.method.name': 'tools/call',
      'gen_ai.tool.name': tool.slice(0, longestId),
      'pagehelm.call.id': call,
      ...(session === undefined ? {} : { 'pagehelm.session.id': session }),
    };
    const options = { kind: SpanKind.SERVER, startTime: at, attributes };
    this.#open.set(call, this.#tracer.startSpan(`tools/call ${tool}`, options, parentOf(parent)));
  }

  #end({ call, tokens, bytes, code, at }: ServerEvent & { readonly type: 'call.ended' }): void {
    const span = this.#open.get(call);
    if (span === undefined) return;
    this.#open.delete(call);
    span.setAttributes({ 'pagehelm.answer.tokens': tokens, 'pagehelm.answer.bytes': bytes });
    if (code !== undefined) {
      span.setAttribute('error.type', code);
      span.setStatus({ code: SpanStatusCode.ERROR, message: code });
    }
    span.end(at);
  }
}

function tracesUrl(endpoint: string): string {
  return endpoint.endsWith('/v1/traces') ? endpoint : `${endpoint.replace(/\/$/, '')}/v1/traces`;
}

/** The span of the client, from a W3C `traceparent`. A malformed one is ignored. */
function parentOf(traceparent: string | undefined): Context {
  const [, traceId, spanId, flags] = /^00-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/.exec(traceparent ?? '') ?? [];
  const root = context.active();
  if (traceId === undefined || spanId === undefined || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return root;
  const traceFlags = Number.parseInt(flags ?? '00', 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(root, { traceId, spanId, traceFlags, isRemote: true });
}
