import multiprocessing as mp
import os


def square(number):
    return number * number


def put(queue):
    queue.put(("child", os.getpid() != os.getppid()))


if __name__ == "__main__":
    with mp.Pool(3) as pool:
        print(pool.map(square, range(5)))
    for method in ("fork", "spawn"):
        context = mp.get_context(method)
        queue = context.Queue()
        process = context.Process(target=put, args=(queue,))
        process.start()
        print(method, queue.get())
        process.join()
    shared = mp.Value("i", 0)
    print(shared.value, os.getpid())
