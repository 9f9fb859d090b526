# Homebrew takes a formula only from a tap: docs/install.md says how to make one.
class Iotrace < Formula
  desc "Record what a workload does to its disk, and see why it is slow"
  homepage "https://github.com/iotrace/iotrace"
  version "@VERSION@"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "https://github.com/iotrace/iotrace/releases/download/v@VERSION@/iotrace_@VERSION@_darwin_arm64.tar.gz"
      sha256 "@DARWIN_ARM64@"
    end
    on_intel do
      url "https://github.com/iotrace/iotrace/releases/download/v@VERSION@/iotrace_@VERSION@_darwin_amd64.tar.gz"
      sha256 "@DARWIN_AMD64@"
    end
  end
  on_linux do
    on_arm do
      url "https://github.com/iotrace/iotrace/releases/download/v@VERSION@/iotrace_@VERSION@_linux_arm64.tar.gz"
      sha256 "@LINUX_ARM64@"
    end
    on_intel do
      url "https://github.com/iotrace/iotrace/releases/download/v@VERSION@/iotrace_@VERSION@_linux_amd64.tar.gz"
      sha256 "@LINUX_AMD64@"
    end
  end

  def install
    bin.install "iotrace"
    man1.install Dir["man1/*.1.gz"]
    bash_completion.install "completions/iotrace.bash" => "iotrace"
    zsh_completion.install "completions/_iotrace"
    fish_completion.install "completions/iotrace.fish"
    doc.install "LICENSE", "LICENSES", Dir["docs/*"]
  end

  test do
    assert_match "iotrace v#{version}", shell_output("#{bin}/iotrace --version")
  end
end
