import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { refInLine } from '../servers.ts';
import type { Sought } from '../servers.ts';
import type { Step } from '../task.ts';
import { linesOf, snapshotFile } from './contestants.ts';
import type { CommandUser, Printed } from './contestants.ts';

const mostLooks = 3;

/** A scripted agent that uses the command line: what it was shown, and the cost of commands and answers. */
export class Shopper {
  commands = 0;
  tokens = 0;
  ms = 0;
  readonly #user: CommandUser;
  /** Lines with refs, newest first. */
  #lines: readonly string[] = [];
  #seen = '';

  constructor(user: CommandUser) {
    this.#user = user;
  }

  get seen(): string {
    return this.#seen;
  }

  async open(url: string): Promise<void> {
    this.#seen = '';
    await this.#act([this.#user.contestant.open(url)]);
  }

  async take({ on, type: text, submit = false, expect }: Step): Promise<void> {
    const { contestant } = this.#user;
    const ref = await this.#refOf(on);
    this.#seen = '';
    await this.#act(text === undefined ? [contestant.click(ref)] : contestant.fill(ref, text, submit));
    for (let looks = 0; expect !== contestant.omits && !this.#seen.includes(expect); looks += 1) {
      if (looks === mostLooks) throw new Error(`${contestant.name}: after ${on.role} "${on.name}" no "${expect}"`);
      await this.#look();
    }
  }

  async #act(lines: readonly (readonly string[])[]): Promise<void> {
    let last: Printed | undefined;
    for (const words of lines) last = await this.#run(words);
    if (this.#user.contestant.look !== undefined) await this.#look(last);
  }

  async #look(after?: Printed): Promise<void> {
    const { look } = this.#user.contestant;
    const named = snapshotFile(after?.text ?? '');
    if (look?.[0] !== 'cat') {
      await this.#run(look ?? ['snapshot']);
      return;
    }
    // Its command `snapshot` prints the page; actions name a file.
    const file = named ?? snapshotFile((await this.#run(['snapshot'])).text);
    if (file !== undefined) await this.#run(['cat', file]);
  }

  async #refOf(sought: Sought): Promise<string> {
    const known = (): string | undefined => {
      for (const line of this.#lines) {
        const ref = refInLine(line, sought);
        if (ref !== undefined) return ref;
      }
      return undefined;
    };
    const { find } = this.#user.contestant;
    if (known() === undefined && find !== undefined) await this.#run(find(sought.name));
    const ref = known();
    if (ref === undefined) throw new Error(`${sought.role} "${sought.name}" is not in what was seen`);
    return ref;
  }

  async #run(words: readonly string[]): Promise<Printed> {
    const { name } = this.#user.contestant;
    const printed = await this.#user.run(words);
    this.commands += 1;
    this.ms += printed.ms;
    this.tokens += countTokens([words[0] === 'cat' ? '' : name, ...words].join(' ')) + countTokens(printed.text);
    this.#seen += printed.text;
    this.#lines = [...linesOf(printed.text), ...this.#lines];
    return printed;
  }
}
