"use client";
import { useRef, type PointerEvent } from "react";

/** Zoom factor and offset from the centre in pixels. */
export interface View {
  zoom: number;
  x: number;
  y: number;
}

export const fitted: View = { zoom: 1, x: 0, y: 0 };

const MAX_ZOOM = 6;
const SWIPE = 48;

/** Around the centre; at least fitted. */
export function zoomed(view: View, factor: number): View {
  const zoom = Math.min(MAX_ZOOM, Math.max(1, view.zoom * factor));
  return zoom === 1 ? fitted : { zoom, x: (view.x * zoom) / view.zoom, y: (view.y * zoom) / view.zoom };
}

interface Point {
  x: number;
  y: number;
}

export interface PictureGestures {
  view: View;
  onView: (change: (now: View) => View) => void;
  /** 1: next picture, -1: previous picture. */
  onSwipe: (by: 1 | -1) => void;
}

/** Two fingers zoom. One finger pans an enlarged picture and swipes a fitted one. */
export function usePictureGestures({ view, onView, onSwipe }: PictureGestures) {
  const down = useRef(new Map<number, Point>());
  const began = useRef<Point | null>(null);

  const lift = (event: PointerEvent) => {
    down.current.delete(event.pointerId);
    if (down.current.size === 0) began.current = null;
  };

  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const at = { x: event.clientX, y: event.clientY };
      down.current.set(event.pointerId, at);
      began.current = down.current.size === 1 && event.pointerType === "touch" ? at : null;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const from = down.current.get(event.pointerId);
      if (!from) return;
      const to = { x: event.clientX, y: event.clientY };
      down.current.set(event.pointerId, to);
      const [dx, dy] = [to.x - from.x, to.y - from.y];
      const other = [...down.current].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const factor = distance(to, other) / Math.max(1, distance(from, other));
        // The centre moves half as far as one finger.
        onView((now) => moved(zoomed(now, factor), dx / 2, dy / 2));
      } else onView((now) => moved(now, dx, dy));
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const from = began.current;
      lift(event);
      if (!from || view.zoom > 1) return;
      const [dx, dy] = [event.clientX - from.x, event.clientY - from.y];
      if (Math.abs(dx) >= SWIPE && Math.abs(dx) > Math.abs(dy)) onSwipe(dx < 0 ? 1 : -1);
    },
    onPointerCancel: lift,
  };
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function moved(view: View, dx: number, dy: number): View {
  return view.zoom === 1 ? view : { ...view, x: view.x + dx, y: view.y + dy };
}
