import { resolve } from 'node:path';
import { withSecrets } from '../../call/arguments/secret-arguments.ts';
import type { Tool } from '../../call/tool.ts';
import type { Session } from '../../session/session.ts';
import { isRecord } from '../../util/records.ts';
import { openableOrThrow } from './openable.ts';

/** The tools of @playwright/mcp, with all capabilities. */
export const playwrightNames: ReadonlySet<string> = new Set(
  `browser_annotate browser_click browser_close browser_console_messages browser_cookie_clear browser_cookie_delete
  browser_cookie_get browser_cookie_list browser_cookie_set browser_drag browser_drop browser_emulate_media browser_evaluate
  browser_file_upload browser_fill_form browser_find browser_generate_locator browser_get_config browser_handle_dialog
  browser_hide_highlight browser_highlight browser_hover browser_localstorage_clear browser_localstorage_delete
  browser_localstorage_get browser_localstorage_list browser_localstorage_set browser_mouse_click_xy browser_mouse_down
  browser_mouse_drag_xy browser_mouse_move_xy browser_mouse_up browser_mouse_wheel browser_navigate browser_navigate_back
  browser_network_request browser_network_requests browser_network_state_set browser_pdf_save browser_press_key
  browser_resize browser_resume browser_route browser_route_list browser_run_code_unsafe browser_select_option
  browser_sessionstorage_clear browser_sessionstorage_delete browser_sessionstorage_get browser_sessionstorage_list
  browser_sessionstorage_set browser_set_storage_state browser_snapshot browser_start_recording browser_start_tracing
  browser_start_video browser_stop_recording browser_stop_tracing browser_stop_video browser_storage_state browser_tabs
  browser_take_screenshot browser_type browser_unroute browser_verify_element_visible browser_verify_list_visible
  browser_verify_text_visible browser_verify_value browser_video_chapter browser_video_hide_actions
  browser_video_show_actions browser_wait_for`.split(/\s+/),
);

/** The tool with the arguments and the answers of @playwright/mcp. */
export function withPlaywrightAnswers(tool: Tool): Tool {
  const { name, effect, uploadsFiles, runsServerCode, namesSecrets, secretsReach } = tool;
  return {
    ...tool,
    scope: 'session',
    answer: 'verbatim',
    prepare: (raw) => ({
      notes: [],
      timeoutMs: undefined,
      run: async ({ permit, secrets, signal, settings, response }, session) => {
        if (session?.backend === undefined) throw new Error(`${name} was called without Playwright's tools`);
        const facts = { name, effect, uploadsFiles, runsServerCode, namesSecrets, secretsReach, findsItself: true };
        const { args } = withSecrets(facts, argumentsOf(raw), session.current, secrets);
        if (effect !== 'steps') permit({ ...facts, effect }, args, session.current);
        if (uploadsFiles) await refuseUploads(session, args['paths']);
        openableOrThrow(args['url'], settings.allowUnrestrictedFileAccess);
        response.whole(
          await session.backend.call({ name, args, signal, isScript: name === 'browser_evaluate', cwd: session.root }),
        );
      },
    }),
  };
}

/** The options of this server for uploads hold here too; the rest is Playwright's own check. */
async function refuseUploads(session: Session, paths: unknown): Promise<void> {
  for (const path of Array.isArray(paths) ? paths : []) {
    if (typeof path === 'string') await session.workspace.refuseUpload(resolve(session.root ?? '', path));
  }
}

/** Without what belongs to the protocol. */
function argumentsOf(raw: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(raw)) return {};
  const { _meta, ...args } = raw;
  return args;
}
