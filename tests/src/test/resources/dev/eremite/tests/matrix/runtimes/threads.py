import queue, random, threading, time

numbers = queue.Queue()
lock = threading.Lock()
total = 0


def work():
    global total
    while True:
        number = numbers.get()
        if number is None:
            return
        time.sleep(random.random() / 200)
        with lock:
            total += number


threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for number in range(8):
    numbers.put(number)
for _ in threads:
    numbers.put(None)
for thread in threads:
    thread.join()
print("threads", total, time.time(), random.random())
