import java.nio.file.*;

class Copy {
    public static void main(String[] a) throws Exception {
        Files.copy(Path.of(a[0]), Path.of(a[1]));
    }
}
