import { expect, test as testPlain, testWith } from '../fixtures.ts';
import type { Driver } from '../fixtures.ts';

const testViewpoint = testWith(['--toolset=viewpoint']);
const testPlaywright = testWith(['--toolset=playwright']);

const viewpoint = `browser_click browser_close browser_console_messages browser_context_close browser_context_create
browser_context_list browser_context_save_storage browser_context_switch browser_drag browser_evaluate browser_file_upload
browser_fill_form browser_handle_dialog browser_hover browser_install browser_navigate browser_navigate_back
browser_network_requests browser_press_key browser_resize browser_scroll_into_view browser_select_option browser_snapshot
browser_tabs browser_take_screenshot browser_type browser_wait_for`.split(/\s+/);

const playwright = `browser_click browser_close browser_console_messages browser_drag browser_drop browser_emulate_media
browser_evaluate browser_file_upload browser_fill_form browser_find browser_handle_dialog browser_hover browser_navigate
browser_navigate_back browser_network_request browser_network_requests browser_press_key browser_resize
browser_select_option browser_snapshot browser_tabs browser_take_screenshot browser_type browser_wait_for`.split(/\s+/);

async function listed({ client }: Driver): Promise<readonly string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

testViewpoint('[S0-05, R-1] the toolset viewpoint is exactly the 27 tools', async ({ driver }) => {
  expect(viewpoint).toHaveLength(27);
  expect(await listed(driver)).toEqual(viewpoint);
});

testPlaywright(
  '[R-1] the toolset playwright is its list, but for the tool that runs code in the server',
  async ({ driver }) => {
    expect(await listed(driver)).toEqual(playwright);
  },
);

const capable = `browser_mouse_click_xy browser_mouse_down browser_mouse_drag_xy browser_mouse_move_xy browser_mouse_up
browser_mouse_wheel browser_pdf_save`.split(/\s+/);

testPlain('[S0-06, S0-10, S2-87] without the capabilities their tools are not listed', async ({ driver }) => {
  const names = (await driver.client.listTools()).tools.map(({ name }) => name);
  expect(names.filter((name) => capable.includes(name))).toEqual([]);
});

testPlain.for(capable)('[S0-10, S2-88] %s is unknown then', async (name, { callRaw }) => {
  await expect(callRaw(name, { x: 1, y: 1 })).rejects.toMatchObject({
    code: -32601,
    message: expect.stringContaining(`Unknown tool: ${name}`),
  });
});
