/** Made by the build from src/dashboard-page. */
declare module 'pagehelm:dashboard' {
  export const script: string;
  export const style: string;
}
