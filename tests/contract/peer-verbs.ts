/** The commands of @playwright/cli 0.1.22, as its help prints them. */
export const playwrightCli =
  `open attach close detach goto type click dblclick fill drag drop hover select upload check uncheck
snapshot find eval dialog-accept dialog-dismiss resize delete-data go-back go-forward reload press keydown keyup mousemove
mousedown mouseup mousewheel screenshot pdf tab-list tab-new tab-close tab-select state-load state-save cookie-list cookie-get
cookie-set cookie-delete cookie-clear localstorage-list localstorage-get localstorage-set localstorage-delete localstorage-clear
sessionstorage-list sessionstorage-get sessionstorage-set sessionstorage-delete sessionstorage-clear set-color-scheme
set-reduced-motion set-forced-colors set-contrast set-media clear-color-scheme clear-reduced-motion clear-forced-colors
clear-contrast clear-media requests request request-headers request-body response-headers response-body route route-list unroute
network-state-set console run-code recording-start recording-stop tracing-start tracing-stop video-start video-stop video-chapter
video-show-actions video-hide-actions show pause-at resume step-over generate-locator highlight webmcp-list webmcp-call install
install-browser list close-all kill-all`.split(/\s+/);

/** The commands of agent-browser 0.41, as its help prints them. */
export const agentBrowser =
  `open|click|dblclick|type|fill|press|keyboard type|keyboard inserttext|keydown|keyup|hover|focus|check|
uncheck|select|drag|upload|download|scroll|scrollintoview|wait|screenshot|pdf|snapshot|eval|connect|close|back|forward|reload|read|
get text|get html|get value|get attr|get title|get url|get count|get box|get styles|get cdp-url|is visible|is enabled|is checked|
find|mouse move|mouse down|mouse up|mouse wheel|set viewport|set device|set geo|set offline|set headers|set credentials|set media|
network route|network unroute|network requests|network request|network har|cookies|cookies get|cookies set|cookies clear|
storage local|storage local get|storage local set|storage local clear|storage session|storage session get|storage session set|
storage session clear|tab|tab new|tab list|tab close|window new|frame|dialog|diff snapshot|diff screenshot|diff url|trace start|
trace stop|profiler start|profiler stop|record start|record stop|console|errors|highlight|inspect|clipboard read|clipboard write|
clipboard copy|clipboard paste|stream|react tree|react inspect|react renders|react suspense|vitals|a11y|pushstate|addinitscript|
removeinitscript|batch|auth save|auth login|auth list|auth show|auth delete|confirm|deny|state save|state load|state list|
state show|state rename|state clear|state clean|session|session list|chat|dashboard|install|upgrade|doctor|profiles|skills|mcp|
plugin|device|webmcp`
    .split('|')
    .map((name) => name.trim());
