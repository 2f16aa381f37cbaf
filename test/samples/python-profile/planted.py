"""Calls with known counts: record with `python -m cProfile -o FILE planted.py`."""


def mix(rounds):
    total = 0
    for number in range(rounds):
        total = (total * 31 + number) % 1000003
    return total


def walk(depth):
    return mix(10) if depth == 0 else walk(depth - 1) + walk(depth - 1)


def sort(count):
    return sorted((mix(3) for _ in range(count)), key=abs)


def work():
    for _ in range(20):
        mix(2000)
    sort(50)
    walk(4)


def main():
    work()
    mix(5)


main()
