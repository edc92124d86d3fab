import type { Tool } from '../../call/tool.ts';
import { isHidden } from '../../call/arguments/arguments.ts';
import { kebab } from './command-help.ts';
import { localCommands } from './unknown-verb.ts';
import { verbTable } from './verb-table.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

interface Completion {
  readonly word: string;
  readonly description: string;
  /** The second words of commands with several. */
  readonly next: readonly string[];
  readonly options: readonly string[];
}

const shared = ['--session', '--output', '--json', '--raw', '--keep-going', '--help'];

/** A completion script for a shell: commands, their second words and their options. */
export function completionScript(shell: Shell, tools: readonly Tool[]): string {
  const rows = completions(tools);
  return { bash, zsh, fish }[shell](rows);
}

function completions(tools: readonly Tool[]): readonly Completion[] {
  const table = verbTable(tools);
  const words = new Map<string, Completion>();
  for (const verb of table.values()) {
    const [word = '', next] = verb.name.split(' ');
    const tool = tools.find(({ name }) => name === verb.tool);
    const known = words.get(word);
    const options = next === undefined ? optionsOf(tool) : (known?.options ?? []);
    words.set(word, {
      word,
      description: known?.description ?? (next === undefined ? (tool?.title ?? '') : 'Commands with a second word'),
      next: [...new Set([...(known?.next ?? []), ...(next === undefined ? [] : [next])])],
      options,
    });
  }
  for (const word of localCommands) words.set(word, { word, description: '', next: [], options: [] });
  words.set('completion', { word: 'completion', description: 'Print this script', next: shells, options: [] });
  return [...words.values()].toSorted((a, b) => (a.word < b.word ? -1 : 1));
}

function optionsOf(tool: Tool | undefined): readonly string[] {
  const shape = tool?.input.shape ?? {};
  return Object.entries(shape).flatMap(([name, field]) => (isHidden(field) ? [] : [`--${kebab(name)}`]));
}

function bash(rows: readonly Completion[]): string {
  const cases = rows
    .filter(({ next, options }) => next.length + options.length > 0)
    .map(
      ({ word, next, options }) => `    ${word}) next="${next.join(' ')}"; options="$options ${options.join(' ')}";;`,
    );
  return `# pagehelm completion for bash: source <(pagehelm completion bash)
_pagehelm() {
  local current="\${COMP_WORDS[COMP_CWORD]}" command="" next="" options="${shared.join(' ')}" at=1
  while [ "$at" -lt "$COMP_CWORD" ]; do
    case "\${COMP_WORDS[at]}" in
      -s|--session|-o|--output) at=$((at + 1));;
      -*) ;;
      *) command="\${COMP_WORDS[at]}"; break;;
    esac
    at=$((at + 1))
  done
  if [ -z "$command" ]; then
    case "$current" in
      -*) COMPREPLY=($(compgen -W "$options" -- "$current"));;
      *) COMPREPLY=($(compgen -W "${rows.map(({ word }) => word).join(' ')}" -- "$current"));;
    esac
    return
  fi
  case "$command" in
${cases.join('\n')}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$options" -- "$current"));;
    *) if [ "$COMP_CWORD" -eq "$((at + 1))" ]; then COMPREPLY=($(compgen -W "$next" -- "$current")); fi;;
  esac
}
complete -o default -F _pagehelm pagehelm
`;
}

function zsh(rows: readonly Completion[]): string {
  const cases = rows
    .filter(({ next, options }) => next.length + options.length > 0)
    .map(({ word, next, options }) => `    ${word}) next=(${next.join(' ')}); options+=(${options.join(' ')});;`);
  const described = rows.map(({ word, description }) => `    '${word}:${description.replaceAll(/[':]/g, '')}'`);
  return `#compdef pagehelm
# pagehelm completion for zsh: pagehelm completion zsh > "\${fpath[1]}/_pagehelm"
_pagehelm() {
  local -a commands next options
  local command="" at=2
  options=(${shared.join(' ')})
  commands=(
${described.join('\n')}
  )
  while (( at < CURRENT )); do
    case "\${words[at]}" in
      -s|--session|-o|--output) (( at++ ));;
      -*) ;;
      *) command="\${words[at]}"; break;;
    esac
    (( at++ ))
  done
  case "$command" in
${cases.join('\n')}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then
    compadd -- $options
  elif [[ -z "$command" ]]; then
    _describe command commands
  elif (( CURRENT == at + 1 && $#next > 0 )); then
    compadd -- $next
  else
    _files
  fi
}
if [[ -n "$ZSH_EVAL_CONTEXT" && "$ZSH_EVAL_CONTEXT" == *:file* || -z "$funcstack" ]]; then
  (( $+functions[compdef] )) && compdef _pagehelm pagehelm
else
  _pagehelm "$@"
fi
`;
}

function fish(rows: readonly Completion[]): string {
  const quote = (text: string): string => `'${text.replaceAll("'", "\\'")}'`;
  const lines = rows.flatMap(({ word, description, next, options }) => [
    `complete -c pagehelm -n __fish_use_subcommand -f -a ${word} -d ${quote(description)}`,
    ...(next.length === 0
      ? []
      : [`complete -c pagehelm -n '__fish_seen_subcommand_from ${word}' -f -a ${quote(next.join(' '))}`]),
    ...options.map((option) => `complete -c pagehelm -n '__fish_seen_subcommand_from ${word}' -l ${option.slice(2)}`),
  ]);
  return `# pagehelm completion for fish: pagehelm completion fish | source
${shared.map((option) => `complete -c pagehelm -l ${option.slice(2)}`).join('\n')}
${lines.join('\n')}
`;
}
