import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { connect } from './model.ts';

interface LiveViewProps {
  readonly session: string;
  readonly label: string;
  readonly width: number;
  readonly height: number;
  readonly fps: number;
}

/** Live frames of a session. */
export function LiveView({ session, label, width, height, fps }: LiveViewProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    if (canvas.current === null) return undefined;
    return connect().watch({ session, width, height, fps }, canvas.current);
  }, [session, width, height, fps]);
  return <canvas ref={canvas} width={16} height={9} role="img" aria-label={label} />;
}
