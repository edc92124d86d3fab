import { apiKeyFile, clusterKeyFile, port, secretFolder, user } from './places.ts';

/** Flags of gateways and workers. The address of Redis is a variable, because flags are visible to other processes. */
const commonArgs = `            - --port=${port}
            - --host=0.0.0.0
            - --cluster-key-file=${clusterKeyFile}
            - --api-key-file=${apiKeyFile}`;

const redisVariable = `            - name: PAGEHELM_CLUSTER
              valueFrom:
                secretKeyRef:
                  name: {{ include "pagehelm.secret" . }}
                  key: redis-url`;

const ports = `          ports:
            - name: http
              containerPort: ${port}`;

const probes = `          startupProbe:
            httpGet: { path: /livez, port: http }
            periodSeconds: 2
            failureThreshold: 30
          readinessProbe:
            httpGet: { path: /readyz, port: http }
            periodSeconds: 5
          livenessProbe:
            httpGet: { path: /livez, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6`;

const containerSecurity = `          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop: [ALL]`;

const podUser = `        runAsNonRoot: true
        runAsUser: ${user}
        runAsGroup: ${user}
        fsGroup: ${user}`;

function placement(role: string): string {
  return `      automountServiceAccountToken: false
      terminationGracePeriodSeconds: {{ .Values.terminationGracePeriodSeconds }}
      {{- with .Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .Values.${role}.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .Values.${role}.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "pagehelm.selector" . | nindent 14 }}
              app.kubernetes.io/component: ${role}`;
}

function labels(role: string, indent: number): string {
  const space = ' '.repeat(indent);
  return `${space}{{- include "pagehelm.labels" . | nindent ${indent} }}
${space}app.kubernetes.io/component: ${role}`;
}

function selector(role: string, indent: number): string {
  const space = ' '.repeat(indent);
  return `${space}{{- include "pagehelm.selector" . | nindent ${indent} }}
${space}app.kubernetes.io/component: ${role}`;
}

/** A pod restarts if its secrets change: only the file with the keys of the clients is read again. */
function podMetadata(role: string): string {
  return `    metadata:
      labels:
${labels(role, 8)}
      annotations:
        checksum/secret: {{ printf "%s %s" .Values.redis.url .Values.clusterKey | sha256sum }}
        {{- with .Values.${role}.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}`;
}

function budget(role: string, limit: string): string {
  return `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "pagehelm.name" . }}-${role}
  labels:
${labels(role, 4)}
spec:
  ${limit}
  selector:
    matchLabels:
${selector(role, 6)}`;
}

const extraArgs = (role: string): string => `            {{- with .Values.extraArgs }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
            {{- with .Values.${role}.extraArgs }}
            {{- toYaml . | nindent 12 }}
            {{- end }}`;

export const gatewayTemplate = `# Gateways have no state that matters: any of them serves any request.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "pagehelm.name" . }}-gateway
  labels:
${labels('gateway', 4)}
spec:
  {{- if not .Values.gateway.autoscaling.enabled }}
  replicas: {{ .Values.gateway.replicas }}
  {{- end }}
  strategy:
    rollingUpdate:
      maxUnavailable: 0
      maxSurge: 1
  selector:
    matchLabels:
${selector('gateway', 6)}
  template:
${podMetadata('gateway')}
    spec:
${placement('gateway')}
      securityContext:
${podUser}
        seccompProfile:
          type: RuntimeDefault
      containers:
        - name: gateway
          image: {{ include "pagehelm.image" . | quote }}
          imagePullPolicy: {{ .Values.image.pullPolicy }}
          args:
            - --role=gateway
${commonArgs}
            - --allowed-hosts={{ include "pagehelm.name" . }}-gateway,{{ include "pagehelm.name" . }}-gateway.{{ .Release.Namespace }},{{ include "pagehelm.name" . }}-gateway.{{ .Release.Namespace }}.svc,{{ include "pagehelm.name" . }}-gateway.{{ .Release.Namespace }}.svc.cluster.local
            {{- range .Values.gateway.allowedHosts }}
            - --allowed-hosts={{ . }}
            {{- end }}
${extraArgs('gateway')}
          env:
${redisVariable}
${ports}
${probes}
          # Balancers stop sending requests before the gateway stops accepting them.
          lifecycle:
            preStop:
              exec:
                command: ["sleep", "5"]
          resources:
            {{- toYaml .Values.gateway.resources | nindent 12 }}
${containerSecurity}
          volumeMounts:
            - { name: secrets, mountPath: ${secretFolder}, readOnly: true }
            - { name: tmp, mountPath: /tmp }
            - { name: data, mountPath: /data }
            - { name: home, mountPath: /home/pagehelm }
      volumes:
        - name: secrets
          secret:
            secretName: {{ include "pagehelm.secret" . }}
            # 0440: readable by the group of the process only.
            defaultMode: 288
            items:
              - { key: cluster-key, path: cluster-key }
              - { key: api-keys.json, path: api-keys.json }
        - { name: tmp, emptyDir: { sizeLimit: 64Mi } }
        - { name: data, emptyDir: { sizeLimit: 64Mi } }
        - { name: home, emptyDir: { sizeLimit: 64Mi } }
---
apiVersion: v1
kind: Service
metadata:
  name: {{ include "pagehelm.name" . }}-gateway
  labels:
${labels('gateway', 4)}
  {{- with .Values.gateway.service.annotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  type: {{ .Values.gateway.service.type }}
  selector:
${selector('gateway', 4)}
  ports:
    - { name: http, port: ${port}, targetPort: http }
---
${budget('gateway', 'minAvailable: 1')}
`;

export const workerTemplate = `# Workers run the sessions. A worker has the name of its pod, which stays over restarts: it then takes its sessions back at once.
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: {{ include "pagehelm.name" . }}-worker
  labels:
${labels('worker', 4)}
spec:
  {{- if not .Values.keda.enabled }}
  replicas: {{ .Values.worker.replicas }}
  {{- end }}
  serviceName: {{ include "pagehelm.name" . }}-worker
  podManagementPolicy: Parallel
  updateStrategy:
    type: RollingUpdate
  selector:
    matchLabels:
${selector('worker', 6)}
  template:
${podMetadata('worker')}
    spec:
${placement('worker')}
      securityContext:
${podUser}
        # Lets the browser create the user namespaces of its sandbox.
        seccompProfile:
          type: Localhost
          localhostProfile: {{ .Values.seccomp.localhostProfile }}
      containers:
        - name: worker
          image: {{ include "pagehelm.image" . | quote }}
          imagePullPolicy: {{ .Values.image.pullPolicy }}
          args:
            - --role=worker
${commonArgs}
            - --worker-name=$(POD_NAME)
            # The address of the pod: its DNS name may be stale after a restart.
            - --worker-address=http://$(POD_IP):${port}
            - --sleep-after={{ .Values.worker.sleepAfter | int }}
            - --max-sessions={{ .Values.worker.maxSessions | int }}
            # The browser does not start without its sandbox.
            - --sandbox
${extraArgs('worker')}
          env:
            - name: POD_NAME
              valueFrom:
                fieldRef:
                  fieldPath: metadata.name
            - name: POD_IP
              valueFrom:
                fieldRef:
                  fieldPath: status.podIP
${redisVariable}
${ports}
${probes}
          resources:
            {{- toYaml .Values.worker.resources | nindent 12 }}
${containerSecurity}
          volumeMounts:
            - { name: secrets, mountPath: ${secretFolder}, readOnly: true }
            - { name: shm, mountPath: /dev/shm }
            - { name: tmp, mountPath: /tmp }
            - { name: data, mountPath: /data }
            - { name: home, mountPath: /home/pagehelm }
      volumes:
        - name: secrets
          secret:
            secretName: {{ include "pagehelm.secret" . }}
            # 0440: readable by the group of the process only.
            defaultMode: 288
            items:
              - { key: cluster-key, path: cluster-key }
              - { key: api-keys.json, path: api-keys.json }
        - name: shm
          emptyDir:
            medium: Memory
            sizeLimit: {{ .Values.worker.sharedMemory }}
        - { name: tmp, emptyDir: { sizeLimit: {{ .Values.worker.dataSize }} } }
        - { name: data, emptyDir: { sizeLimit: {{ .Values.worker.dataSize }} } }
        - { name: home, emptyDir: { sizeLimit: 256Mi } }
---
# Gives the pods of the StatefulSet their names. Gateways connect to the addresses that the workers announce.
apiVersion: v1
kind: Service
metadata:
  name: {{ include "pagehelm.name" . }}-worker
  labels:
${labels('worker', 4)}
spec:
  clusterIP: None
  publishNotReadyAddresses: true
  selector:
${selector('worker', 4)}
  ports:
    - { name: http, port: ${port}, targetPort: http }
---
${budget('worker', 'maxUnavailable: 1')}
`;
