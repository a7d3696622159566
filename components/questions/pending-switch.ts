const listeners = new Set<() => void>();
let isOn = false;

/** On from the first question that this page shows: what keeps an answer is needed from then on. */
export const pendingSwitch = {
  isOn: () => isOn,
  turnOn: (): void => {
    if (isOn) return;
    isOn = true;
    for (const listener of listeners) listener();
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};
