import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { FeedMessage } from "../../components/live/feed-message.ts";
import { FeedOrder } from "../../components/live/feed-order.ts";
import type { FeedStreamListener } from "../../components/live/feed-stream.ts";
import { type FeedPorts, SharedFeed } from "../../components/live/shared-feed.ts";
import { FakeLocks } from "./fake-locks.ts";

const event = (position: number) => ({ kind: "event", position }) as FeedMessage;
const state = () => ({ kind: "task" }) as FeedMessage;

describe("FeedOrder", () => {
  const put = (order: FeedOrder, after: number | null, id: number, message = event(id)) =>
    order.put({ after: after === null ? null : String(after), id: String(id), message });

  test("each message is taken once, in order; one that comes after something unknown is a gap", () => {
    const order = new FeedOrder();
    expect(put(order, 4, 5)).toBe("gap");
    order.begin("5");
    expect(put(order, 4, 5)).toBe("drop");
    expect(put(order, 5, 7)).toBe("take");
    expect(put(order, 5, 7)).toBe("drop");
    expect(put(order, 9, 10)).toBe("gap");
    expect(put(order, 7, 9)).toBe("take");
    expect(put(order, 9, 10)).toBe("take");
  });

  test("state without an event has the last one's id, and is never old at it", () => {
    const order = new FeedOrder();
    order.begin("5");
    expect(put(order, 5, 5, state())).toBe("take");
    expect(put(order, 5, 5, state())).toBe("take");
    expect(put(order, 4, 4, state())).toBe("drop");
  });

  test("a reset counts wherever it leads, and once", () => {
    const order = new FeedOrder();
    order.begin("50");
    const reset = (position: number): FeedMessage => ({ kind: "reset", position });
    expect(put(order, 50, 3, reset(3))).toBe("take");
    expect(put(order, null, 3, reset(3))).toBe("drop");
    expect(put(order, 3, 4)).toBe("take");
  });
});

/** One browser: its tabs share locks and a channel, and a server streams to whoever asks. */
class Browser {
  readonly locks = new FakeLocks();
  readonly channels = new Set<{ onmessage: ((event: { data: unknown }) => void) | null }>();
  readonly streams: { listener: FeedStreamListener; from: string | null; isOpen: boolean }[] = [];

  tab() {
    const told: number[] = [];
    const states: string[] = [];
    let leads = false;
    const feed = new SharedFeed(
      {
        onMessage: (message) => {
          if (message.kind !== "task") told.push(message.position);
        },
        onState: (state) => states.push(state),
        onLead: (is) => {
          leads = is;
        },
      },
      this.#ports(),
    );
    feed.open();
    return { feed, told, states, leads: () => leads };
  }

  get open() {
    return this.streams.filter(({ isOpen }) => isOpen);
  }

  get stream() {
    const [only, ...others] = this.open;
    expect(others).toEqual([]);
    if (!only) throw new Error("no stream is open");
    return only;
  }

  say(position: number): void {
    this.stream.listener.onMessage(String(position), JSON.stringify(event(position)));
  }

  #ports(): FeedPorts {
    return {
      locks: this.locks as unknown as LockManager,
      openChannel: () => {
        const { channels } = this;
        const channel = {
          onmessage: null as ((event: { data: unknown }) => void) | null,
          postMessage(data: unknown) {
            for (const other of channels) {
              if (other !== channel) queueMicrotask(() => other.onmessage?.({ data }));
            }
          },
          close: () => channels.delete(channel),
        };
        channels.add(channel);
        return channel as unknown as BroadcastChannel;
      },
      openStream: (listener, from) => {
        const stream = { listener, from, isOpen: false };
        this.streams.push(stream);
        return {
          open: () => {
            stream.isOpen = true;
          },
          close: () => {
            stream.isOpen = false;
          },
          reconnect: () => {},
        };
      },
    };
  }
}

describe("SharedFeed", () => {
  const settle = () => vi.advanceTimersByTimeAsync(1);
  let page: EventTarget & { hidden: boolean };

  beforeEach(() => {
    vi.useFakeTimers();
    page = Object.assign(new EventTarget(), { hidden: false });
    const target = new EventTarget();
    vi.stubGlobal("document", page);
    vi.stubGlobal("addEventListener", target.addEventListener.bind(target));
    vi.stubGlobal("removeEventListener", target.removeEventListener.bind(target));
  });

  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /** Three tabs, the first of which has the stream, which is live at 10. */
  async function threeTabs() {
    const browser = new Browser();
    const first = browser.tab();
    await settle();
    const reset = JSON.stringify({ kind: "reset", position: 10 });
    browser.stream.listener.onMessage("10", reset);
    browser.stream.listener.onState("live");
    const second = browser.tab();
    const third = browser.tab();
    await settle();
    return { browser, first, second, third };
  }

  test("one stream serves all tabs, and all know its state", async () => {
    const { browser, first, second, third } = await threeTabs();
    browser.say(11);
    browser.say(12);
    await settle();
    for (const tab of [first, second, third]) {
      expect(tab.told).toEqual([10, 11, 12]);
      expect(tab.states).toEqual(["live"]);
    }
    expect([first, second, third].map(({ leads }) => leads())).toEqual([true, false, false]);
  });

  test("when its tab is closed the next one goes on after what it has, nothing lost or doubled", async () => {
    const { browser, first, second, third } = await threeTabs();
    browser.say(11);
    await settle();
    first.feed.close();
    await settle();
    expect(browser.stream.from).toBe("11");
    expect(second.leads()).toBe(true);
    browser.say(12);
    await settle();
    expect([second.told, third.told]).toEqual([
      [10, 11, 12],
      [10, 11, 12],
    ]);
  });

  test("a frozen tab gives the stream away, and comes back as one of the others", async () => {
    const { browser, first, second } = await threeTabs();
    page.dispatchEvent(new Event("freeze"));
    await settle();
    expect(browser.open).toEqual([]);
    page.dispatchEvent(new Event("resume"));
    await settle();
    expect(browser.stream.from).toBe("10");
    browser.say(11);
    await settle();
    expect([first.told, second.told]).toEqual([
      [10, 11],
      [10, 11],
    ]);
  });

  test("a tab that has gone silent with the stream is relieved of it", async () => {
    const { browser, first, second, third } = await threeTabs();
    // Its page hangs: no word comes from it, and it has not given the lock back.
    const [hanging] = browser.channels;
    if (hanging) browser.channels.delete(hanging);
    const dead = browser.stream;
    Object.assign(hanging ?? {}, { postMessage: () => {} });
    await vi.advanceTimersByTimeAsync(25_000);
    expect(first.leads()).toBe(false);
    expect(dead.isOpen).toBe(false);
    expect([second.leads(), third.leads()]).toContain(true);
    browser.say(11);
    await settle();
    expect([second.told, third.told]).toEqual([
      [10, 11],
      [10, 11],
    ]);
  });

  test("a tab that lacks something asks for it; those that have it are told nothing twice", async () => {
    const { browser, first, second, third } = await threeTabs();
    const channel = [...browser.channels].at(-1);
    const hear = channel?.onmessage ?? null;
    if (channel) channel.onmessage = null;
    browser.say(11);
    await settle();
    if (channel) channel.onmessage = hear;
    browser.say(12);
    await settle();
    expect(third.told).toEqual([10]);
    expect(browser.stream.from).toBe("10");
    browser.say(11);
    browser.say(12);
    await settle();
    for (const tab of [first, second, third]) expect(tab.told).toEqual([10, 11, 12]);
  });

  test("a browser without locks has a stream for each tab", async () => {
    const browser = new Browser();
    Object.assign(browser, { locks: undefined });
    const tabs = [browser.tab(), browser.tab()];
    expect(browser.open).toHaveLength(2);
    expect(tabs.every(({ leads }) => leads())).toBe(true);
  });
});
