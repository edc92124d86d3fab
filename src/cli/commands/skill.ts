import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ConfigError } from '../../errors.ts';
import { skillCore, skillStub, skills } from '../skill/skill-text.ts';

/** Where clients look for skills of a project. */
const folders = { claude: '.claude/skills', agents: '.agents/skills' } as const;

export interface SkillContext {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly stdout: (text: string) => void;
}

/** Prints the guide of this version, or installs the stub that refers to it. */
export function runSkill({ argv, cwd, stdout }: SkillContext): number {
  const [name = 'core', ...rest] = argv;
  if (name === '--install') {
    const kind = rest[0] ?? 'claude';
    if (kind !== 'claude' && kind !== 'agents') throw new ConfigError(['--install takes claude or agents.']);
    const file = join(cwd, folders[kind], 'pagehelm', 'SKILL.md');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, skillStub);
    stdout(`Wrote ${file}\n`);
    return 0;
  }
  const text = skills[name];
  if (text === undefined || rest.length > 0)
    throw new ConfigError([`Unknown skill "${name}". There are: ${Object.keys(skills).join(', ')}.`]);
  stdout(name === 'core' ? skillCore : text);
  return 0;
}
