import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { Answer } from './servers.ts';
import type { ListedTool } from './handshake.ts';

export interface ToolListTokens {
  readonly tools: number;
  /** The list as sent. */
  readonly total: number;
  readonly perTool: number;
  /** Name, description and arguments only: what a model usually sees. */
  readonly shown: number;
  readonly byTool: Readonly<Record<string, number>>;
}

export interface AnswerTokens {
  readonly text: number;
  /** Including the linked files. */
  readonly withFiles: number;
}

export function toolListTokens(tools: readonly ListedTool[]): ToolListTokens {
  const total = countTokens(JSON.stringify(tools));
  const shown = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  return {
    tools: tools.length,
    total,
    perTool: total / tools.length,
    shown: countTokens(JSON.stringify(shown)),
    byTool: Object.fromEntries(tools.map((tool) => [tool.name, countTokens(JSON.stringify(tool))])),
  };
}

export function answerTokens(answer: Answer): AnswerTokens {
  const text = countTokens(answer.text);
  return { text, withFiles: answer.files.reduce((sum, file) => sum + countTokens(file), text) };
}
