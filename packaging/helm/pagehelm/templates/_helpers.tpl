{{- define "pagehelm.name" -}}
{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "pagehelm.selector" -}}
app.kubernetes.io/name: pagehelm
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "pagehelm.labels" -}}
{{ include "pagehelm.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "pagehelm.secret" -}}
{{ .Values.existingSecret | default (include "pagehelm.name" .) }}
{{- end }}

{{- define "pagehelm.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
