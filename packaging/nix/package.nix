# nix-build -E 'with import <nixpkgs> { }; callPackage ./package.nix { }'
{
  lib,
  python3Packages,
@NIX_ARGUMENTS@
}:

python3Packages.buildPythonApplication {
  pname = "streamgage";
  version = "@VERSION@";
  pyproject = true;
  src = ../../..;

  # scikit-build-core calls CMake itself.
  dontUseCmakeConfigure = true;
  nativeBuildInputs = [
@NIX_TOOLS@
  ];
  buildInputs = [
@NIX_LIBRARIES@
  ];
  build-system = with python3Packages; [
@NIX_BUILD@
  ];
  dependencies = with python3Packages; [
@NIX_RUN@
  ];

  meta = {
    description = "@DESCRIPTION@";
    homepage = "@HOMEPAGE@";
    license = lib.licenses.bsd3;
    mainProgram = "streamgage";
    platforms = lib.platforms.linux;
  };
}
