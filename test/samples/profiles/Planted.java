public class Planted {
    static long outer(int rounds) { return inner(rounds) + side(rounds / 4); }
    static long inner(int rounds) { long sum = 1; for (int i = 0; i < rounds; i++) sum = sum * 31 + (sum >>> 7) + i; return sum; }
    static long side(int rounds) { long sum = 1; for (int i = 0; i < rounds; i++) sum ^= (sum << 3) + i % 7; return sum; }
    static int keep(int size) { byte[] bytes = new byte[size]; bytes[size / 2] = 1; return bytes[size / 2]; }
    public static void main(String[] args) {
        long sum = 0;
        long end = System.nanoTime() + 3_000_000_000L;
        while (System.nanoTime() < end) { sum += outer(200_000); for (int i = 0; i < 20; i++) sum += keep(100_000); }
        System.out.println(sum);
    }
}
