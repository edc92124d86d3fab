import { port } from './places.ts';

/**
 * Gateways scale by CPU. Workers scale by sessions that run or wait, against the slots of a worker: by waiting ones alone, a
 * cluster that works through its queue would lose the workers that do so.
 */
export const scalingTemplate = `{{- if .Values.gateway.autoscaling.enabled }}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ include "pagehelm.name" . }}-gateway
  labels:
    {{- include "pagehelm.labels" . | nindent 4 }}
    app.kubernetes.io/component: gateway
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: Deployment
    name: {{ include "pagehelm.name" . }}-gateway
  minReplicas: {{ .Values.gateway.autoscaling.minReplicas | int }}
  maxReplicas: {{ .Values.gateway.autoscaling.maxReplicas | int }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target:
          type: Utilization
          averageUtilization: {{ .Values.gateway.autoscaling.targetCPUUtilizationPercentage | int }}
{{- end }}
{{- if .Values.keda.enabled }}
---
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata:
  name: {{ include "pagehelm.name" . }}-worker
  labels:
    {{- include "pagehelm.labels" . | nindent 4 }}
    app.kubernetes.io/component: worker
spec:
  scaleTargetRef:
    apiVersion: apps/v1
    kind: StatefulSet
    name: {{ include "pagehelm.name" . }}-worker
  minReplicaCount: {{ .Values.keda.minReplicas | int }}
  maxReplicaCount: {{ .Values.keda.maxReplicas | int }}
  pollingInterval: 10
  advanced:
    horizontalPodAutoscalerConfig:
      behavior:
        scaleUp:
          stabilizationWindowSeconds: 0
        # A worker that goes puts its sessions to sleep; the next call wakes them on another one. One at a time keeps that cheap.
        scaleDown:
          stabilizationWindowSeconds: 300
          policies:
            - { type: Pods, value: 1, periodSeconds: 60 }
  triggers:
    # Replicas = sessions that run or wait / (slots of a worker * utilization).
    {{- if .Values.keda.prometheusAddress }}
    - type: prometheus
      metricType: AverageValue
      metadata:
        serverAddress: {{ .Values.keda.prometheusAddress }}
        # Each gateway reports the whole cluster.
        query: max(pagehelm_slots_wanted{namespace="{{ .Release.Namespace }}"})
        threshold: {{ mulf .Values.worker.maxSessions .Values.keda.utilization | quote }}
    {{- else }}
    - type: metrics-api
      metricType: AverageValue
      metadata:
        url: http://{{ include "pagehelm.name" . }}-gateway.{{ .Release.Namespace }}.svc:${port}/api/v1/capacity
        valueLocation: wanted
        targetValue: {{ mulf .Values.worker.maxSessions .Values.keda.utilization | quote }}
        authMode: bearer
      authenticationRef:
        name: {{ include "pagehelm.name" . }}-metrics
---
apiVersion: keda.sh/v1alpha1
kind: TriggerAuthentication
metadata:
  name: {{ include "pagehelm.name" . }}-metrics
  labels:
    {{- include "pagehelm.labels" . | nindent 4 }}
spec:
  secretTargetRef:
    - parameter: token
      name: {{ include "pagehelm.secret" . }}
      key: metrics-key
    {{- end }}
{{- end }}
`;
