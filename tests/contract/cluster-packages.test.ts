import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { chartFiles as generatedChart } from '../../src/docs/packages/cluster/chart.ts';
import { root } from '../built.ts';
import {
  chartFiles,
  chartFolder,
  find,
  leastValues,
  named,
  networks,
  read,
  render,
  service,
  services,
} from './cluster-files.ts';

describe('packaging/compose/cluster.yaml', () => {
  test('has a balancer, two gateways, two workers and Redis', () => {
    expect(Object.keys(services)).toEqual(['haproxy', 'gateway-1', 'gateway-2', 'worker-1', 'worker-2', 'redis']);
  });

  test('publishes only the balancer, on the loopback address; clients do not reach workers and Redis', () => {
    expect(Object.entries(services).flatMap(([name, { ports }]) => ports.map((port) => `${name} ${port}`))).toEqual([
      'haproxy 127.0.0.1:8931:8931',
    ]);
    expect(networks).toEqual({ clients: null, cluster: { internal: true }, web: null });
    expect(Object.fromEntries(Object.entries(services).map(([name, { networks: of }]) => [name, of]))).toEqual({
      haproxy: ['clients'],
      'gateway-1': ['clients', 'cluster'],
      'gateway-2': ['clients', 'cluster'],
      'worker-1': ['cluster', 'web'],
      'worker-2': ['cluster', 'web'],
      redis: ['cluster'],
    });
  });

  test('runs without rights, and workers with the profile of the sandbox', () => {
    for (const name of ['gateway-1', 'gateway-2', 'worker-1', 'worker-2']) {
      expect(service(name)).toMatchObject({ read_only: true, cap_drop: ['ALL'], stop_grace_period: '60s' });
      expect(service(name).security_opt.includes('seccomp=../docker/seccomp.json')).toBe(name.startsWith('worker'));
    }
  });
});

describe('packaging/compose/haproxy.cfg', () => {
  const config = read('packaging/compose/haproxy.cfg');

  test('sends requests to the gateways in turn, repeats none that was sent, and keeps streams open', () => {
    expect(config).toMatch(/^ {4}balance roundrobin$/m);
    expect([...config.matchAll(/^ {4}server (\S+) (\S+)$/gm)].map(([, name, address]) => [name, address])).toEqual([
      ['gateway-1', 'gateway-1:8931'],
      ['gateway-2', 'gateway-2:8931'],
    ]);
    expect(config).toMatch(/^ {4}retry-on conn-failure$/m);
    expect(config).toContain('uri /readyz');
    expect(config).not.toMatch(/cookie|stick/);
    expect(config.match(/^ {4}timeout (?:client|server|tunnel) \d+h$/gm)).toHaveLength(3);
  });

  test('is accepted by haproxy, where there is one', () => {
    const { error, status, stderr } = spawnSync('haproxy', ['-c', '-f', `${root}packaging/compose/haproxy.cfg`], {
      encoding: 'utf8',
    });
    // Without the program, the test above is all there is.
    if (error !== undefined) expect(error.message).toContain('ENOENT');
    else expect(status, stderr).toBe(0);
  });
});

describe('the Helm chart', () => {
  const { version } = z.looseObject({ version: z.string() }).parse(JSON.parse(read('package.json')));

  test('has the version of the package and all its files are generated', () => {
    expect(parse(chartFiles.get('Chart.yaml') ?? '')).toMatchObject({
      version,
      appVersion: version,
    });
    expect(chartFiles.get('seccomp.json')).toBe(read('packaging/docker/seccomp.json'));
    const generated = generatedChart({
      name: 'pagehelm',
      version: '1.2.3',
      description: 'x',
      license: 'x',
      mcpName: 'x',
      keywords: [],
      engines: { node: '20' },
      repository: { url: 'https://github.com/a/b' },
    });
    expect(generated.map(({ path }) => path.slice(chartFolder.length)).toSorted()).toEqual(
      [...chartFiles.keys()].toSorted(),
    );
  });

  test('renders gateways, workers, budgets, policies and a secret by default', () => {
    expect(named(render(leastValues)).toSorted()).toEqual([
      'Deployment rel-gateway',
      'HorizontalPodAutoscaler rel-gateway',
      'NetworkPolicy rel-gateway',
      'NetworkPolicy rel-worker',
      'PodDisruptionBudget rel-gateway',
      'PodDisruptionBudget rel-worker',
      'Secret rel',
      'Service rel-gateway',
      'Service rel-worker',
      'StatefulSet rel-worker',
    ]);
  });

  test.each([
    ['Deployment rel-gateway', 'gateway'],
    ['StatefulSet rel-worker', 'worker'],
  ])('%s is not root, and is probed', (name, role) => {
    const { spec } = find(render(leastValues), name).spec.template;
    const [container] = spec.containers;
    const isWorker = role === 'worker';
    expect(container.env.map((entry: { name: string }) => entry.name)).toEqual(
      isWorker ? ['POD_NAME', 'POD_IP', 'PAGEHELM_CLUSTER'] : ['PAGEHELM_CLUSTER'],
    );
    expect(container.readinessProbe.httpGet).toEqual({ path: '/readyz', port: 'http' });
    expect(container.livenessProbe.httpGet).toEqual({ path: '/livez', port: 'http' });
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(spec).toMatchObject({
      terminationGracePeriodSeconds: 60,
      automountServiceAccountToken: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 10_001,
        seccompProfile: isWorker
          ? { type: 'Localhost', localhostProfile: 'pagehelm/seccomp.json' }
          : { type: 'RuntimeDefault' },
      },
    });
    const volumes = new Set(spec.volumes.map((volume: { name: string }) => volume.name));
    expect(new Set(container.volumeMounts.map((mount: { name: string }) => mount.name))).toEqual(volumes);
  });

  test('only gateways reach workers; workers reach DNS, Redis and public addresses', () => {
    const { ingress, egress, policyTypes } = find(render(leastValues), 'NetworkPolicy rel-worker').spec;
    const labels = { 'app.kubernetes.io/name': 'pagehelm', 'app.kubernetes.io/instance': 'rel' };
    const gateways = { podSelector: { matchLabels: { ...labels, 'app.kubernetes.io/component': 'gateway' } } };
    expect(policyTypes).toEqual(['Ingress', 'Egress']);
    expect(ingress).toEqual([{ ports: [{ protocol: 'TCP', port: 8931 }], from: [gateways] }]);
    expect(egress[1]).toEqual({
      ports: [{ protocol: 'TCP', port: 6379 }],
      to: [{ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'redis' } } }],
    });
    expect(egress[2].to.map(({ ipBlock }: { ipBlock: { cidr: string } }) => ipBlock.cidr)).toEqual([
      '0.0.0.0/0',
      '::/0',
    ]);
    expect(egress[2].to[0].ipBlock.except).toContain('169.254.0.0/16');
  });

  test('selectors match the labels of the pods', () => {
    const manifests = render(leastValues);
    for (const [pods, others] of [
      [
        'Deployment rel-gateway',
        ['Service rel-gateway', 'PodDisruptionBudget rel-gateway', 'NetworkPolicy rel-gateway'],
      ],
      ['StatefulSet rel-worker', ['Service rel-worker', 'PodDisruptionBudget rel-worker', 'NetworkPolicy rel-worker']],
    ] as const) {
      const { spec } = find(manifests, pods);
      const { labels } = spec.template.metadata;
      expect(labels).toMatchObject(spec.selector.matchLabels);
      for (const name of others) {
        const { selector, podSelector } = find(manifests, name).spec;
        expect(labels, name).toMatchObject(podSelector?.matchLabels ?? selector.matchLabels ?? selector);
      }
    }
  });

  test('KEDA counts the sessions that run or wait against the slots of a worker', () => {
    const scaled = render(
      `${leastValues}keda: { enabled: true, metricsKey: a-long-random-key }\nworker: { maxSessions: 25 }`,
    );
    expect(find(scaled, 'StatefulSet rel-worker').spec).not.toHaveProperty('replicas');
    const { triggers, scaleTargetRef } = find(scaled, 'ScaledObject rel-worker').spec;
    expect(scaleTargetRef.name).toBe('rel-worker');
    expect(triggers).toEqual([
      {
        type: 'metrics-api',
        metricType: 'AverageValue',
        metadata: {
          url: 'http://rel-gateway.agents.svc:8931/api/v1/capacity',
          valueLocation: 'wanted',
          targetValue: '20',
          authMode: 'bearer',
        },
        authenticationRef: { name: 'rel-metrics' },
      },
    ]);
    expect(find(scaled, 'TriggerAuthentication rel-metrics').spec.secretTargetRef).toEqual([
      { parameter: 'token', name: 'rel', key: 'metrics-key' },
    ]);
    expect(find(scaled, 'Secret rel').stringData).toMatchObject({
      'redis-url': 'redis://redis:6379',
      'api-keys.json': '{"ann":"a-long-random-key"}',
      'metrics-key': 'a-long-random-key',
    });
    const prometheus = render(`${leastValues}keda: { enabled: true, prometheusAddress: "http://prometheus:9090" }`);
    expect(named(prometheus)).not.toContain('TriggerAuthentication rel-metrics');
    expect(find(prometheus, 'ScaledObject rel-worker').spec.triggers[0].metadata).toEqual({
      serverAddress: 'http://prometheus:9090',
      query: 'max(pagehelm_slots_wanted{namespace="agents"})',
      threshold: '16',
    });
  });

  test('the profile of the sandbox is installed on the nodes on request', () => {
    const installed = render(`${leastValues}seccomp: { install: true }`);
    expect(JSON.parse(find(installed, 'ConfigMap rel-seccomp').data['seccomp.json'])).toEqual(
      JSON.parse(read('packaging/docker/seccomp.json')),
    );
    const { spec } = find(installed, 'DaemonSet rel-seccomp').spec.template;
    expect(spec.containers[0].args).toEqual(['/host/pagehelm/seccomp.json']);
    expect(spec.volumes[1].hostPath.path).toBe('/var/lib/kubelet/seccomp');
  });

  test.each([
    ['clusterKey: x\napiKeys: { a: b }', 'redis.url is needed'],
    ['redis: { url: redis://a }\napiKeys: { a: b }', 'clusterKey is needed'],
    ['redis: { url: redis://a }\nclusterKey: x', 'apiKeys are needed'],
  ])('%j is refused', (values, problem) => {
    expect(() => render(values)).toThrow(problem);
  });

  test('a Secret of the operator replaces that of the chart', () => {
    const manifests = render('existingSecret: mine');
    expect(named(manifests)).not.toContain('Secret rel');
    const { spec } = find(manifests, 'StatefulSet rel-worker').spec.template;
    expect(spec.volumes[0].secret.secretName).toBe('mine');
    expect(spec.containers[0].env[2].valueFrom.secretKeyRef).toEqual({ name: 'mine', key: 'redis-url' });
  });
});
