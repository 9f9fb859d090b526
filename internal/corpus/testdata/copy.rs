fn main() {
    let a: Vec<String> = std::env::args().collect();
    std::fs::copy(&a[1], &a[2]).unwrap();
}
