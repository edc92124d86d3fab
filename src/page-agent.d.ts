/** Made by the build from src/page/main.ts. */
declare module 'pagehelm:page-agent' {
  /** The text of an expression that installs the page agent in the world it is evaluated in, and is the agent. */
  export const source: string;
  /** The text of a script for the page's own world, which tells the agent of timers. */
  export const timerSource: string;
}
