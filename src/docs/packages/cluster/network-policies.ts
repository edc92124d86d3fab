import { port } from './places.ts';

const selector = (role: string): string => `      {{- include "pagehelm.selector" . | nindent 6 }}
      app.kubernetes.io/component: ${role}`;

const dns = `    - ports:
        - { protocol: UDP, port: 53 }
        - { protocol: TCP, port: 53 }`;

const redis = `    - ports:
        - { protocol: TCP, port: {{ .Values.networkPolicy.redis.port | int }} }
      to:
        {{- toYaml .Values.networkPolicy.redis.to | nindent 8 }}`;

/** Only gateways reach workers. Workers reach Redis and the web, and no other pod. */
export const networkPolicies = `{{- if .Values.networkPolicy.enabled }}
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "pagehelm.name" . }}-worker
  labels:
    {{- include "pagehelm.labels" . | nindent 4 }}
spec:
  podSelector:
    matchLabels:
${selector('worker')}
  policyTypes: [Ingress, Egress]
  ingress:
    - ports:
        - { protocol: TCP, port: ${port} }
      from:
        - podSelector:
            matchLabels:
              {{- include "pagehelm.selector" . | nindent 14 }}
              app.kubernetes.io/component: gateway
  egress:
${dns}
${redis}
    {{- with .Values.networkPolicy.web }}
    - to:
        {{- toYaml . | nindent 8 }}
    {{- end }}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: {{ include "pagehelm.name" . }}-gateway
  labels:
    {{- include "pagehelm.labels" . | nindent 4 }}
spec:
  podSelector:
    matchLabels:
${selector('gateway')}
  policyTypes: [Ingress, Egress]
  ingress:
    - ports:
        - { protocol: TCP, port: ${port} }
      {{- with .Values.networkPolicy.clients }}
      from:
        {{- toYaml . | nindent 8 }}
      {{- end }}
  egress:
${dns}
${redis}
    - ports:
        - { protocol: TCP, port: ${port} }
      to:
        - podSelector:
            matchLabels:
              {{- include "pagehelm.selector" . | nindent 14 }}
              app.kubernetes.io/component: worker
{{- end }}
`;
