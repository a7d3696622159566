let context: AudioContext | null = null;

/**
 * Two short, soft notes. Silent where the browser has not let the page make sound yet, which it does
 * once somebody has touched it.
 */
export async function playTone(): Promise<void> {
  context ??= new AudioContext();
  if (context.state === "suspended") await context.resume();
  note(context, 660, 0);
  note(context, 880, 0.12);
}

function note(audio: AudioContext, hertz: number, after: number): void {
  const at = audio.currentTime + after;
  const oscillator = audio.createOscillator();
  const gain = audio.createGain();
  oscillator.type = "sine";
  oscillator.frequency.value = hertz;
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(0.12, at + 0.015);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + 0.35);
  oscillator.connect(gain).connect(audio.destination);
  oscillator.start(at);
  oscillator.stop(at + 0.4);
}
