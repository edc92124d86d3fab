import { version } from '../../version.ts';
import { askDaemon } from '../client/ask-daemon.ts';
import { methods } from '../client/messages.ts';

/** Prints a link to the dashboard of the daemon of this working tree. Both are started if they do not run. */
export async function runDashboard(argv: readonly string[]): Promise<number> {
  const options = argv.filter((word) => word !== 'dashboard' && word !== 'show');
  const opened = await askDaemon(methods.dashboard, options, version);
  if ('code' in opened) {
    process.stderr.write(opened.stderr);
    return opened.code;
  }
  opened.socket.destroy();
  const { answer } = opened;
  if (!('link' in answer) || typeof answer.link !== 'string') return 1;
  process.stdout.write(`${answer.link}\n`);
  process.stderr.write('The link works once, within ten minutes.\n');
  return 0;
}
