import { spawn, type ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import type { Logger } from '../../log.ts';
import { runVariable, type ProcessId } from './processes.ts';

/** Maximum age difference between a session's leader and a member that proves the session is still the browser's. */
export const sessionWindowTicks = 6000;

/**
 * Cleans up after a server that was killed with SIGKILL. A shell rather than Node, because it runs as long as the server
 * and should use little memory. Its stdin is a pipe that only the server holds, so it ends with the server in any case.
 * On Linux it reads /proc without starting processes; elsewhere it uses ps.
 */
const script = `
trap '' INT HUP TERM QUIT PIPE
cd /
dir=$1 mark=$2 window=$3 except=$4 owned=
[ -n "$dir" ] || exit 1
# Ends a server whose event loop no longer runs. A signal counts as a beat. A server that a person has stopped cannot
# beat and is left alone, unless others may do its work meanwhile.
watch() {
  trap 'missed=-1' USR1
  missed=0
  while sleep "$2"; do
    state=
    [ -r "/proc/$1/stat" ] && read -r line <"/proc/$1/stat" && line=\${line##*) } && state=\${line%% *}
    case $state$3 in T | t) missed=-1 ;; esac
    missed=$((missed + 1))
    [ "$missed" -ge 3 ] && kill -KILL "$1" && exit 0
  done
}
finish() {
  [ -z "$watcher" ] || kill -KILL 0
  exit 0
}
watcher=
while read -r word pid start rule; do
  case $word in
    own) owned="$owned $pid:$start" ;;
    watch)
      watch "$pid" "$start" "$rule" &
      watcher=$!
      ;;
    beat) kill -USR1 "$watcher" ;;
    bye) finish ;;
  esac
done

end_group() {
  [ "$1" -gt 1 ] && [ "$1" != "$except" ] && kill -KILL "-$1" && left=1
}
stat_of() {
  state= group= session= start=0
  read -r line <"/proc/$1/stat" || return 1
  set -- \${line##*) }
  state=$1 group=$3 session=$4 start=\${20}
  [ "$state" != Z ] && [ "$state" != X ]
}
sweep_proc() {
  for folder in /proc/[0-9]*; do
    stat_of "\${folder#/proc/}" || continue
    for entry in $owned; do
      [ "$session" = "\${entry%%:*}" ] || continue
      age=$((start - \${entry#*:}))
      [ "$age" -ge 0 ] && [ "$age" -le "$window" ] && end_group "$group"
    done
  done
  for file in $(grep -lsF -e "$mark" /proc/[0-9]*/environ); do
    file=\${file#/proc/}
    stat_of "\${file%/environ}" && end_group "$group"
  done
}
sweep_ps() {
  for group in $(ps -axww -o pgid= -o command= | grep -F -e "$dir" | while read -r group rest; do echo "$group"; done); do
    case "$owned " in *" $group:"*) end_group "$group" ;; esac
  done
}

round=0
while [ "$round" -lt 50 ]; do
  left=
  if [ -r /proc/self/stat ]; then sweep_proc; else sweep_ps; fi
  rm -rf "$dir"
  [ -z "$left" ] && [ ! -e "$dir" ] && break
  sleep 0.1
  round=$((round + 1))
done
rmdir "\${dir%/*}"
finish
`;

/** How often the event loop shows that it runs; the third time without ends the server. */
const defaultBeatMs = 10_000;

export interface JanitorOptions {
  readonly folder: string;
  readonly path: string | undefined;
  readonly ownGroup: number | undefined;
  readonly log: Logger;
  /** The server to end if its event loop does not run for three times this interval; none in a foreign program. */
  readonly watched?: Watched | undefined;
}

interface Watched {
  readonly pid: number;
  readonly beatMs?: number | undefined;
  /** Also if it is stopped by a signal. */
  readonly endsStopped?: boolean | undefined;
}

/** The helper process that briefly outlives the server. */
export class Janitor {
  readonly #child: ChildProcess;
  #beats: NodeJS.Timeout | undefined;
  #isAlive = true;

  constructor({ folder, path, ownGroup, log, watched }: JanitorOptions) {
    const mark = `${runVariable}=${folder}`;
    const args = ['-c', script, 'pagehelm-janitor', folder, mark, String(sessionWindowTicks), String(ownGroup ?? 0)];
    // Without the server's stdout and stderr, whose end clients wait for. Detached, so that ^C does not reach it.
    this.#child = spawn('/bin/sh', args, {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      cwd: '/',
      env: { PATH: path ?? '/usr/local/bin:/usr/bin:/bin' },
    });
    this.#child.on('error', (error) => {
      this.#isAlive = false;
      log.warn('no janitor: a killed server would leave its temporary folder until the next start', { error });
    });
    this.#child.on('exit', () => (this.#isAlive = false));
    // If the janitor dies, the pipe reports an error, which must not end the server.
    this.#child.stdin?.on('error', () => (this.#isAlive = false));
    this.#child.unref();
    if (this.#child.stdin instanceof Socket) this.#child.stdin.unref();
    if (watched !== undefined) this.#watch(watched);
  }

  #watch({ pid, beatMs = defaultBeatMs, endsStopped = false }: Watched): void {
    this.#child.stdin?.write(`watch ${pid} ${(beatMs / 1000).toFixed(1)} ${endsStopped ? 'strict' : ''}\n`);
    this.#beats = setInterval(() => {
      if (this.#isAlive) this.#child.stdin?.write('beat\n');
    }, beatMs / 2).unref();
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  own({ pid, startTime }: ProcessId): void {
    this.#child.stdin?.write(`own ${pid} ${startTime}\n`);
  }

  /** Ends it without cleaning up. */
  dismiss(): void {
    clearInterval(this.#beats);
    this.#child.stdin?.end('bye\n');
  }

  /** Makes it clean up now. */
  release(): void {
    clearInterval(this.#beats);
    this.#child.stdin?.end();
  }
}
