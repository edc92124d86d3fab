import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loadConfig } from '../../src/config/load.ts';
import type { Config } from '../../src/config/schema/schema.ts';
import { find, leastValues, render, service } from './cluster-files.ts';

const keysFile = '/etc/pagehelm/api-keys.json';
const keyFile = '/etc/pagehelm/cluster-key';
const secrets: Readonly<Record<string, string>> = {
  [keysFile]: '{ "ann": "a-long-random-key" }',
  [keyFile]: 'a-secret-of-the-cluster',
};

/** The configuration that a container has; flags and variables that do not exist are errors. */
function configOf(argv: readonly string[], env: Readonly<Record<string, string>>): Config {
  const readFile = (path: string): string => {
    const text = secrets[path];
    if (text === undefined) throw new Error(`there is no ${path}`);
    return text;
  };
  const { config, warnings } = loadConfig({ argv, env, cwd: '/data', readFile });
  expect(warnings).toEqual([]);
  return config;
}

describe('the packages of a cluster', () => {
  test.each(['gateway-1', 'gateway-2', 'worker-1', 'worker-2'])('Compose starts %s with options that exist', (name) => {
    const { command, environment } = service(name);
    const given: Readonly<Record<string, string>> = {
      PAGEHELM_CLUSTER_KEY: 'a-secret-of-the-cluster',
      PAGEHELM_ALLOWED_HOSTS: 'localhost',
    };
    const env = Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, given[key] ?? value]));
    const { cluster, server, browser, apiKeyFile } = configOf(command, env);
    const isWorker = name.startsWith('worker');
    expect({ ...cluster, ...server }).toMatchObject({
      url: 'redis://redis:6379',
      key: 'a-secret-of-the-cluster',
      role: isWorker ? 'worker' : 'gateway',
      port: 8931,
      host: '0.0.0.0',
      ...(isWorker ? { workerName: name, workerAddress: `http://${name}:8931` } : { allowedHosts: ['localhost'] }),
    });
    expect(browser.sandbox).toBe(isWorker ? true : undefined);
    expect(apiKeyFile).toBe(keysFile);
  });

  test.each([
    ['Deployment rel-gateway', 'gateway'],
    ['StatefulSet rel-worker', 'worker'],
  ])('%s starts with options that exist', (name, role) => {
    const { spec } = find(render(`${leastValues}extraArgs: ["--log-format=json"]`), name).spec.template;
    const argv = z
      .array(z.string())
      .parse(spec.containers[0].args)
      .map((arg) => arg.replace('$(POD_NAME)', 'rel-worker-0').replace('$(POD_IP)', '10.0.0.7'));
    const env = { PAGEHELM_CLUSTER: 'redis://redis:6379' };
    const { cluster, server, browser, session, apiKeyFile, logging } = configOf(argv, env);
    expect({ ...cluster, ...server, apiKeyFile, format: logging.format }).toMatchObject({
      role,
      keyFile,
      port: 8931,
      apiKeyFile: keysFile,
      format: 'json',
      ...(role === 'worker'
        ? { workerName: 'rel-worker-0', workerAddress: 'http://10.0.0.7:8931', sleepAfter: 60_000 }
        : { allowedHosts: expect.arrayContaining(['rel-gateway.agents.svc']) }),
    });
    if (role === 'worker') expect([browser.sandbox, session.maxSessions]).toEqual([true, 20]);
  });
});
