/** What browsers read, or need to find their libraries, fonts, display and sound; by prefix where it ends in `*`. */
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
/** Names of variables mean the same in small letters on Windows, and so do those of proxies everywhere. */
const isKnown = new RegExp(`^(?:${patterns.join('|')})$`, 'i');

/**
 * The environment that a browser is given: what it has a use for. Keys and tokens of the server, or of whatever
 * started it, are not a browser's business, and a page that breaks out of it must not find them.
 */
export function browserEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  further: unknown,
): Record<string, string> {
  const own = Object.entries(env).filter(([name]) => isKnown.test(name));
  const added = typeof further === 'object' && further !== null ? Object.entries(further) : [];
  return Object.fromEntries(
    [...own, ...added].flatMap(([name, value]): [string, string][] =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  );
}
