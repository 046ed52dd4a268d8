import type { DeskEvent, DeskState } from "./state.ts";

/** Outside React, so that a key press draws the next card without the network. */
export class ObservedState {
  protected state: DeskState;
  private readonly listeners = new Set<() => void>();
  private readonly eventListeners = new Set<(event: DeskEvent) => void>();

  constructor(state: DeskState) {
    this.state = state;
  }

  getState = (): DeskState => this.state;
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  onEvent = (listener: (event: DeskEvent) => void): (() => void) => {
    this.eventListeners.add(listener);
    return () => this.eventListeners.delete(listener);
  };

  protected emit(event: DeskEvent): void {
    for (const listener of this.eventListeners) listener(event);
  }

  protected change(next: Partial<DeskState>): void {
    this.state = { ...this.state, ...next };
    for (const listener of this.listeners) listener();
  }
}
