# Nix: nix-build iotrace.nix, or nix-env -if iotrace.nix
{ pkgs ? import <nixpkgs> { } }:
let
  version = "@VERSION@";
  platforms = {
    x86_64-linux = { name = "linux_amd64"; sha256 = "@LINUX_AMD64@"; };
    aarch64-linux = { name = "linux_arm64"; sha256 = "@LINUX_ARM64@"; };
    x86_64-darwin = { name = "darwin_amd64"; sha256 = "@DARWIN_AMD64@"; };
    aarch64-darwin = { name = "darwin_arm64"; sha256 = "@DARWIN_ARM64@"; };
  };
  platform = platforms.${pkgs.stdenv.hostPlatform.system};
in
pkgs.stdenv.mkDerivation {
  pname = "iotrace";
  inherit version;
  src = pkgs.fetchurl {
    url = "https://github.com/iotrace/iotrace/releases/download/v${version}/iotrace_${version}_${platform.name}.tar.gz";
    inherit (platform) sha256;
  };
  nativeBuildInputs = [ pkgs.installShellFiles ];
  dontBuild = true;
  dontStrip = true; # what tracer/ignored.go reads of the table of symbols is what is left of it
  installPhase = ''
    runHook preInstall
    install -Dm755 iotrace $out/bin/iotrace
    installManPage man1/*
    installShellCompletion --bash completions/iotrace.bash --zsh completions/_iotrace --fish completions/iotrace.fish
    install -Dm644 -t $out/share/doc/iotrace LICENSE LICENSES/* docs/*
    runHook postInstall
  '';
  meta = {
    description = "Record what a workload does to its disk, and see why it is slow";
    homepage = "https://github.com/iotrace/iotrace";
    license = pkgs.lib.licenses.asl20;
    platforms = builtins.attrNames platforms;
    mainProgram = "iotrace";
  };
}
