import * as z from 'zod';
import { answerShape, fileShape, timeoutShape } from './answers.ts';
import { proxyProblem } from '../proxy.ts';
import { browserShape } from './browser.ts';
import { loggingShape, securityShape, sessionShape } from './limits.ts';
import { serverShape, toolShape } from './server.ts';

/** Every option, once. Flags, variables, the file, help, docs and the editor's schema are derived from it. */
export const configSchema = z
  .strictObject({
    ...serverShape,
    ...toolShape,
    ...browserShape,
    ...timeoutShape,
    ...answerShape,
    ...fileShape,
    ...sessionShape,
    ...securityShape,
    ...loggingShape,
  })
  .superRefine((config, context) => {
    if (config.browser.device !== undefined && config.browser.mobile) {
      context.addIssue({
        code: 'custom',
        path: ['browser', 'device'],
        message: 'cannot be combined with browser.mobile',
      });
    }
    if (config.browser.type === 'firefox' && config.browser.mobile) {
      context.addIssue({ code: 'custom', path: ['browser', 'mobile'], message: 'is nothing that Firefox can imitate' });
    }
    const { cdpEndpoint } = config.browser;
    if (cdpEndpoint !== undefined && !isDevToolsAddress(cdpEndpoint)) {
      const message = 'is not the address of a browser, which reads http://localhost:9222 or ws://localhost:9222/…';
      context.addIssue({ code: 'custom', path: ['browser', 'cdpEndpoint'], message });
    }
    const problem = config.browser.proxy === undefined ? undefined : proxyProblem(config.browser.proxy);
    if (problem !== undefined) {
      context.addIssue({ code: 'custom', path: ['browser', 'proxy', 'server'], message: problem });
    }
    const hasRules = [
      ...(config.security.allowedDomains ?? []),
      ...(config.security.blockedDomains ?? []),
      ...config.network.allowedOrigins,
      ...config.network.blockedOrigins,
    ];
    const running = (['cdpEndpoint', 'remoteEndpoint'] as const).filter((key) => config.browser[key] !== undefined);
    for (const key of hasRules.length > 0 ? running : []) {
      context.addIssue({
        code: 'custom',
        path: ['browser', key],
        message:
          'cannot be combined with rules about domains or origins: nobody could make a browser keep them that runs already',
      });
    }
    for (const { path, message } of networkProblems(config)) context.addIssue({ code: 'custom', path, message });
    if (config.logging.destination === 'file' && config.logging.file === undefined) {
      context.addIssue({ code: 'custom', path: ['logging', 'destination'], message: 'file needs logging.file' });
    }
  });

interface NetworkConfig {
  readonly auth: boolean;
  readonly transport: string;
  readonly stdio: boolean;
  readonly server: {
    readonly port?: number | undefined;
    readonly host: string;
    readonly tlsCert?: string | undefined;
    readonly tlsKey?: string | undefined;
  };
}

function networkProblems({ auth, transport, stdio, server }: NetworkConfig): readonly Problem[] {
  const problems: Problem[] = [];
  const isOpen = server.port !== undefined && !stdio;
  if (isOpen && !auth && !/^(?:localhost|127(?:\.\d{1,3}){3}|::1)$/.test(server.host)) {
    problems.push({
      path: ['auth'],
      message: `cannot be turned off on ${server.host}; only a loopback address allows it`,
    });
  }
  if (transport !== 'stdio' && server.port === undefined && !stdio) {
    problems.push({ path: ['transport'], message: `${transport} needs a port (--port)` });
  }
  if ((server.tlsCert === undefined) !== (server.tlsKey === undefined)) {
    const missing = server.tlsCert === undefined ? 'tlsCert' : 'tlsKey';
    problems.push({ path: ['server', missing], message: 'is needed with the other file of the pair' });
  }
  return problems;
}

interface Problem {
  readonly path: string[];
  readonly message: string;
}

function isDevToolsAddress(text: string): boolean {
  return URL.canParse(text) && /^(?:http|ws)s?:$/.test(new URL(text).protocol);
}

export type Config = z.output<typeof configSchema>;
