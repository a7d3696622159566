#!/usr/bin/env python3
"""A task driven from Python, with nothing but the standard library.

It posts updates, says how far it is, asks people, and stops when it is cancelled.
"""

import json
import os
import sys
import time
import urllib.error
import urllib.request
import uuid

API = os.environ.get("TOOLTHREAD_URL", "http://127.0.0.1:3000").rstrip("/") + "/api/v1"
KEY = os.environ.get("TOOLTHREAD_API_KEY")


class Cancelled(Exception):
    pass


def post(path, body):
    """Sends a call, again when the server is away: no call does anything twice."""
    headers = {"Content-Type": "application/json"}
    if KEY:
        headers["Authorization"] = "Bearer " + KEY
    request = urllib.request.Request(API + path, json.dumps(body).encode(), headers)
    for attempt in range(10):
        try:
            with urllib.request.urlopen(request, timeout=90) as response:
                return json.load(response)
        except urllib.error.HTTPError as error:
            if error.code not in (429, 502, 503, 504):
                problem = json.load(error)
                raise RuntimeError(f"{problem['code']}: {problem['detail']}") from error
            time.sleep(float(error.headers.get("Retry-After", 1)))
        except OSError:
            time.sleep(min(5, 0.2 * 2**attempt))
    raise RuntimeError("The server does not answer.")


class Task:
    def __init__(self, task_type, params):
        self.driver = str(uuid.uuid4())
        body = {"type": task_type, "params": params, "driverId": self.driver}
        started = post("/drive", {**body, "idempotencyKey": self.driver})
        self.id = started["taskId"]
        self.updates = 0

    def call(self, name, **body):
        state = post(f"/drive/{self.id}/{name}", {"driverId": self.driver, **body})
        if state["cancelRequested"] and name != "finish":
            raise Cancelled
        return state

    def update(self, message, level="info"):
        self.updates += 1
        self.call("update", message=message, level=level, sequence=self.updates)

    def ask(self, key, prompt, **question):
        while True:
            told = self.call("ask", key=key, prompt=prompt, wait=30, **question)
            if told["outcome"] == "answered":
                return told["answer"]
            if told["outcome"] is not None:
                return None


def main():
    task = Task("examples/import", {"file": "customers.csv"})
    print("Task", task.id, flush=True)
    try:
        task.update("Read 3 rows")
        for row in range(3):
            task.call("progress", done=row + 1, total=3)
        answer = task.ask("go", "Import 3 customers?", choices=["yes", "no"])
        imported = 3 if answer == "yes" else 0
        task.call("finish", status="completed", result={"imported": imported})
        print("Imported", imported)
    except Cancelled:
        task.call("finish", status="cancelled")
        sys.exit(5)


if __name__ == "__main__":
    main()
