/** Variables that browsers use, also to find libraries, fonts, display and sound; `*` ends a prefix. */
const known = [
  // Everywhere.
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'TERM',
  'LANG',
  'LANGUAGE',
  'LC_*',
  'TZ',
  'TMPDIR',
  'TMP',
  'TEMP',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  // Linux: display, sound, fonts, graphics, libraries, sandbox.
  'DISPLAY',
  'WAYLAND_*',
  'XAUTHORITY',
  'XCURSOR_*',
  'XDG_*',
  'DBUS_*',
  'DESKTOP_SESSION',
  'GNOME_*',
  'KDE_*',
  'GDK_*',
  'GTK_*',
  'QT_*',
  'FONTCONFIG_*',
  'PULSE_*',
  'PIPEWIRE_*',
  'ALSA_*',
  'GST_*',
  'LIBGL_*',
  'MESA_*',
  'EGL_*',
  'VK_*',
  'LIBVA_*',
  'LD_LIBRARY_PATH',
  'LD_PRELOAD',
  'CHROME_DEVEL_SANDBOX',
  'CHROME_WRAPPER',
  'MOZ_*',
  'SNAP*',
  'FLATPAK_*',
  'WSL*',
  'container',
  // macOS.
  '__CF_USER_TEXT_ENCODING',
  'DYLD_*',
  // Windows.
  'ALLUSERSPROFILE',
  'APPDATA',
  'COMMONPROGRAMFILES*',
  'COMMONPROGRAMW6432',
  'COMPUTERNAME',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'NUMBER_OF_PROCESSORS',
  'OS',
  'PATHEXT',
  'PROCESSOR_*',
  'PROGRAMDATA',
  'PROGRAMFILES*',
  'PROGRAMW6432',
  'PUBLIC',
  'SESSIONNAME',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'USERDOMAIN*',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
];

const patterns = known.map((name) => name.replace('*', '.*'));
/** Case-insensitive: on Windows names are, and proxy variables are written in lower case everywhere. */
const isKnown = new RegExp(`^(?:${patterns.join('|')})$`, 'i');

/**
 * The environment of a browser: an allowlist. A page that escapes the browser's sandbox must not find keys and tokens of
 * the server, or of the process that started it.
 */
export function browserEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  further: unknown,
): Record<string, string> {
  const own = Object.entries(env).filter(([name]) => isKnown.test(name));
  const added = typeof further === 'object' && further !== null ? Object.entries(further) : [];
  return withUtf8(
    [...own, ...added].flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  );
}

/** In a locale without UTF-8, Chromium cannot write to a path with other than ASCII characters, such as a TMPDIR. */
function withUtf8(variables: readonly [string, string][]): Record<string, string> {
  const env = Object.fromEntries(variables);
  if (process.platform !== 'linux') return env;
  const name = ['LC_ALL', 'LC_CTYPE', 'LANG'].find((each) => env[each] !== undefined && env[each] !== '');
  if (name !== undefined && /utf-?8/i.test(env[name] ?? '')) return env;
  return { ...env, [name === 'LC_ALL' ? name : 'LC_CTYPE']: 'C.UTF-8' };
}
