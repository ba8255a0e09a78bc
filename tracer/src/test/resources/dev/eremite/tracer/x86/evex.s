# Each EVEX tuple type with an 8-bit compressed displacement.
vaddps -0x40(%r13), %xmm20, %xmm21
vaddps -0x40(%r13), %ymm20, %ymm21
vaddps -0x40(%r13), %zmm20, %zmm21
vaddpd -0x40(%r13), %xmm20, %xmm21
vaddpd -0x40(%r13), %ymm20, %ymm21
vaddpd -0x40(%r13), %zmm20, %zmm21
vmulps -0x40(%r13), %xmm20, %xmm21
vmulps -0x40(%r13), %ymm20, %ymm21
vmulps -0x40(%r13), %zmm20, %zmm21
vsubpd -0x40(%r13), %xmm20, %xmm21
vsubpd -0x40(%r13), %ymm20, %ymm21
vsubpd -0x40(%r13), %zmm20, %zmm21
vminps -0x40(%r13), %xmm20, %xmm21
vminps -0x40(%r13), %ymm20, %ymm21
vminps -0x40(%r13), %zmm20, %zmm21
vdivpd -0x40(%r13), %xmm20, %xmm21
vdivpd -0x40(%r13), %ymm20, %ymm21
vdivpd -0x40(%r13), %zmm20, %zmm21
vunpcklps -0x40(%r13), %xmm20, %xmm21
vunpcklps -0x40(%r13), %ymm20, %ymm21
vunpcklps -0x40(%r13), %zmm20, %zmm21
vunpckhpd -0x40(%r13), %xmm20, %xmm21
vunpckhpd -0x40(%r13), %ymm20, %ymm21
vunpckhpd -0x40(%r13), %zmm20, %zmm21
vpaddd -0x40(%r13), %xmm20, %xmm21
vpaddd -0x40(%r13), %ymm20, %ymm21
vpaddd -0x40(%r13), %zmm20, %zmm21
vpaddq -0x40(%r13), %xmm20, %xmm21
vpaddq -0x40(%r13), %ymm20, %ymm21
vpaddq -0x40(%r13), %zmm20, %zmm21
vpaddb -0x40(%r13), %xmm20, %xmm21
vpaddb -0x40(%r13), %ymm20, %ymm21
vpaddb -0x40(%r13), %zmm20, %zmm21
vpaddw -0x40(%r13), %xmm20, %xmm21
vpaddw -0x40(%r13), %ymm20, %ymm21
vpaddw -0x40(%r13), %zmm20, %zmm21
vpandd -0x40(%r13), %xmm20, %xmm21
vpandd -0x40(%r13), %ymm20, %ymm21
vpandd -0x40(%r13), %zmm20, %zmm21
vpandnq -0x40(%r13), %xmm20, %xmm21
vpandnq -0x40(%r13), %ymm20, %ymm21
vpandnq -0x40(%r13), %zmm20, %zmm21
vpord -0x40(%r13), %xmm20, %xmm21
vpord -0x40(%r13), %ymm20, %ymm21
vpord -0x40(%r13), %zmm20, %zmm21
vpxorq -0x40(%r13), %xmm20, %xmm21
vpxorq -0x40(%r13), %ymm20, %ymm21
vpxorq -0x40(%r13), %zmm20, %zmm21
vpmulld -0x40(%r13), %xmm20, %xmm21
vpmulld -0x40(%r13), %ymm20, %ymm21
vpmulld -0x40(%r13), %zmm20, %zmm21
vpmullq -0x40(%r13), %xmm20, %xmm21
vpmullq -0x40(%r13), %ymm20, %ymm21
vpmullq -0x40(%r13), %zmm20, %zmm21
vpermd -0x40(%r13), %ymm20, %ymm21
vpermd -0x40(%r13), %zmm20, %zmm21
vpermps -0x40(%r13), %ymm20, %ymm21
vpermps -0x40(%r13), %zmm20, %zmm21
vpermpd -0x40(%r13), %ymm20, %ymm21
vpermpd -0x40(%r13), %zmm20, %zmm21
vpsrlvd -0x40(%r13), %xmm20, %xmm21
vpsrlvd -0x40(%r13), %ymm20, %ymm21
vpsrlvd -0x40(%r13), %zmm20, %zmm21
vpsllvq -0x40(%r13), %xmm20, %xmm21
vpsllvq -0x40(%r13), %ymm20, %ymm21
vpsllvq -0x40(%r13), %zmm20, %zmm21
vpsravw -0x40(%r13), %xmm20, %xmm21
vpsravw -0x40(%r13), %ymm20, %ymm21
vpsravw -0x40(%r13), %zmm20, %zmm21
vprorvd -0x40(%r13), %xmm20, %xmm21
vprorvd -0x40(%r13), %ymm20, %ymm21
vprorvd -0x40(%r13), %zmm20, %zmm21
vfmadd231ps -0x40(%r13), %xmm20, %xmm21
vfmadd231ps -0x40(%r13), %ymm20, %ymm21
vfmadd231ps -0x40(%r13), %zmm20, %zmm21
vfmadd132pd -0x40(%r13), %xmm20, %xmm21
vfmadd132pd -0x40(%r13), %ymm20, %ymm21
vfmadd132pd -0x40(%r13), %zmm20, %zmm21
vscalefps -0x40(%r13), %xmm20, %xmm21
vscalefps -0x40(%r13), %ymm20, %ymm21
vscalefps -0x40(%r13), %zmm20, %zmm21
vpmaddwd -0x40(%r13), %xmm20, %xmm21
vpmaddwd -0x40(%r13), %ymm20, %ymm21
vpmaddwd -0x40(%r13), %zmm20, %zmm21
vpunpcklbw -0x40(%r13), %xmm20, %xmm21
vpunpcklbw -0x40(%r13), %ymm20, %ymm21
vpunpcklbw -0x40(%r13), %zmm20, %zmm21
vpunpckhdq -0x40(%r13), %xmm20, %xmm21
vpunpckhdq -0x40(%r13), %ymm20, %ymm21
vpunpckhdq -0x40(%r13), %zmm20, %zmm21
vpackssdw -0x40(%r13), %xmm20, %xmm21
vpackssdw -0x40(%r13), %ymm20, %ymm21
vpackssdw -0x40(%r13), %zmm20, %zmm21
vpermi2d -0x40(%r13), %xmm20, %xmm21
vpermi2d -0x40(%r13), %ymm20, %ymm21
vpermi2d -0x40(%r13), %zmm20, %zmm21
vpermt2pd -0x40(%r13), %xmm20, %xmm21
vpermt2pd -0x40(%r13), %ymm20, %ymm21
vpermt2pd -0x40(%r13), %zmm20, %zmm21
vpcmpeqd 0x40(%r9), %xmm20, %k1
vpcmpeqd 0x40(%r9), %ymm20, %k1
vpcmpeqd 0x40(%r9), %zmm20, %k1
vpcmpgtq 0x40(%r9), %xmm20, %k1
vpcmpgtq 0x40(%r9), %ymm20, %k1
vpcmpgtq 0x40(%r9), %zmm20, %k1
vblendmps -0x40(%r13), %xmm20, %xmm21
vblendmps -0x40(%r13), %ymm20, %ymm21
vblendmps -0x40(%r13), %zmm20, %zmm21
vpblendmb -0x40(%r13), %xmm20, %xmm21
vpblendmb -0x40(%r13), %ymm20, %ymm21
vpblendmb -0x40(%r13), %zmm20, %zmm21
vpdpbusd -0x40(%r13), %xmm20, %xmm21
vpdpbusd -0x40(%r13), %ymm20, %ymm21
vpdpbusd -0x40(%r13), %zmm20, %zmm21
vpopcntd 0x40(%rax,%rcx,4), %xmm20
vpopcntd 0x40(%rax,%rcx,4), %ymm20
vpopcntd 0x40(%rax,%rcx,4), %zmm20
vsqrtps 0x40(%rax,%rcx,4), %xmm20
vsqrtps 0x40(%rax,%rcx,4), %ymm20
vsqrtps 0x40(%rax,%rcx,4), %zmm20
vsqrtpd 0x40(%rax,%rcx,4), %xmm20
vsqrtpd 0x40(%rax,%rcx,4), %ymm20
vsqrtpd 0x40(%rax,%rcx,4), %zmm20
vrcp14ps 0x40(%rax,%rcx,4), %xmm20
vrcp14ps 0x40(%rax,%rcx,4), %ymm20
vrcp14ps 0x40(%rax,%rcx,4), %zmm20
vrsqrt14pd 0x40(%rax,%rcx,4), %xmm20
vrsqrt14pd 0x40(%rax,%rcx,4), %ymm20
vrsqrt14pd 0x40(%rax,%rcx,4), %zmm20
vgetexpps 0x40(%rax,%rcx,4), %xmm20
vgetexpps 0x40(%rax,%rcx,4), %ymm20
vgetexpps 0x40(%rax,%rcx,4), %zmm20
vmovups 0x40(%rax,%rcx,4), %xmm20
vmovups 0x40(%rax,%rcx,4), %ymm20
vmovups 0x40(%rax,%rcx,4), %zmm20
vmovapd 0x40(%rax,%rcx,4), %xmm20
vmovapd 0x40(%rax,%rcx,4), %ymm20
vmovapd 0x40(%rax,%rcx,4), %zmm20
vmovdqu8 0x40(%rax,%rcx,4), %xmm20
vmovdqu8 0x40(%rax,%rcx,4), %ymm20
vmovdqu8 0x40(%rax,%rcx,4), %zmm20
vmovdqu64 0x40(%rax,%rcx,4), %xmm20
vmovdqu64 0x40(%rax,%rcx,4), %ymm20
vmovdqu64 0x40(%rax,%rcx,4), %zmm20
vmovdqa32 0x40(%rax,%rcx,4), %xmm20
vmovdqa32 0x40(%rax,%rcx,4), %ymm20
vmovdqa32 0x40(%rax,%rcx,4), %zmm20
vmovshdup 0x40(%rax,%rcx,4), %xmm20
vmovshdup 0x40(%rax,%rcx,4), %ymm20
vmovshdup 0x40(%rax,%rcx,4), %zmm20
vmovddup 0x40(%rax,%rcx,4), %xmm20
vmovddup 0x40(%rax,%rcx,4), %ymm20
vmovddup 0x40(%rax,%rcx,4), %zmm20
vcvtdq2ps 0x40(%rax,%rcx,4), %xmm20
vcvtdq2ps 0x40(%rax,%rcx,4), %ymm20
vcvtdq2ps 0x40(%rax,%rcx,4), %zmm20
vcvtqq2pd 0x40(%rax,%rcx,4), %xmm20
vcvtqq2pd 0x40(%rax,%rcx,4), %ymm20
vcvtqq2pd 0x40(%rax,%rcx,4), %zmm20
vcvtps2dq 0x40(%rax,%rcx,4), %xmm20
vcvtps2dq 0x40(%rax,%rcx,4), %ymm20
vcvtps2dq 0x40(%rax,%rcx,4), %zmm20
vcvttps2udq 0x40(%rax,%rcx,4), %xmm20
vcvttps2udq 0x40(%rax,%rcx,4), %ymm20
vcvttps2udq 0x40(%rax,%rcx,4), %zmm20
vcvttpd2uqq 0x40(%rax,%rcx,4), %xmm20
vcvttpd2uqq 0x40(%rax,%rcx,4), %ymm20
vcvttpd2uqq 0x40(%rax,%rcx,4), %zmm20
vcvtuqq2pd 0x40(%rax,%rcx,4), %xmm20
vcvtuqq2pd 0x40(%rax,%rcx,4), %ymm20
vcvtuqq2pd 0x40(%rax,%rcx,4), %zmm20
vcvtpd2qq 0x40(%rax,%rcx,4), %xmm20
vcvtpd2qq 0x40(%rax,%rcx,4), %ymm20
vcvtpd2qq 0x40(%rax,%rcx,4), %zmm20
vaddps 0x20(%rdx){1to4}, %xmm17, %xmm18
vaddps 0x20(%rdx){1to8}, %ymm17, %ymm18
vaddps 0x20(%rdx){1to16}, %zmm17, %zmm18
vaddpd 0x20(%rdx){1to2}, %xmm17, %xmm18
vaddpd 0x20(%rdx){1to4}, %ymm17, %ymm18
vaddpd 0x20(%rdx){1to8}, %zmm17, %zmm18
vpaddd 0x20(%rdx){1to4}, %xmm17, %xmm18
vpaddd 0x20(%rdx){1to8}, %ymm17, %ymm18
vpaddd 0x20(%rdx){1to16}, %zmm17, %zmm18
vpxorq 0x20(%rdx){1to2}, %xmm17, %xmm18
vpxorq 0x20(%rdx){1to4}, %ymm17, %ymm18
vpxorq 0x20(%rdx){1to8}, %zmm17, %zmm18
vpermt2ps 0x20(%rdx){1to4}, %xmm17, %xmm18
vpermt2ps 0x20(%rdx){1to8}, %ymm17, %ymm18
vpermt2ps 0x20(%rdx){1to16}, %zmm17, %zmm18
vfmadd213pd 0x20(%rdx){1to2}, %xmm17, %xmm18
vfmadd213pd 0x20(%rdx){1to4}, %ymm17, %ymm18
vfmadd213pd 0x20(%rdx){1to8}, %zmm17, %zmm18
vcvtps2pd 0x20(%rdi), %xmm19
vcvtps2pd 0x20(%rdi), %ymm19
vcvtps2pd 0x20(%rdi), %zmm19
vcvtdq2pd 0x20(%rdi), %xmm19
vcvtdq2pd 0x20(%rdi), %ymm19
vcvtdq2pd 0x20(%rdi), %zmm19
vcvtudq2pd 0x20(%rdi), %xmm19
vcvtudq2pd 0x20(%rdi), %ymm19
vcvtudq2pd 0x20(%rdi), %zmm19
vcvtps2qq 0x20(%rdi), %xmm19
vcvtps2qq 0x20(%rdi), %ymm19
vcvtps2qq 0x20(%rdi), %zmm19
vcvttps2qq 0x20(%rdi), %xmm19
vcvttps2qq 0x20(%rdi), %ymm19
vcvttps2qq 0x20(%rdi), %zmm19
vcvtps2uqq 0x20(%rdi), %xmm19
vcvtps2uqq 0x20(%rdi), %ymm19
vcvtps2uqq 0x20(%rdi), %zmm19
vcvttps2uqq 0x20(%rdi), %xmm19
vcvttps2uqq 0x20(%rdi), %ymm19
vcvttps2uqq 0x20(%rdi), %zmm19
vcvtps2pd 0x20(%rdi){1to2}, %xmm19
vcvtps2pd 0x20(%rdi){1to4}, %ymm19
vcvtps2pd 0x20(%rdi){1to8}, %zmm19
vcvtdq2pd 0x20(%rdi){1to2}, %xmm19
vcvtdq2pd 0x20(%rdi){1to4}, %ymm19
vcvtdq2pd 0x20(%rdi){1to8}, %zmm19
vcvtps2qq 0x20(%rdi){1to2}, %xmm19
vcvtps2qq 0x20(%rdi){1to4}, %ymm19
vcvtps2qq 0x20(%rdi){1to8}, %zmm19
vpmovsxbw 0x20(%rdi), %xmm19
vpmovzxbw 0x20(%rdi), %xmm19
vpmovsxbw 0x20(%rdi), %ymm19
vpmovzxbw 0x20(%rdi), %ymm19
vpmovsxbw 0x20(%rdi), %zmm19
vpmovzxbw 0x20(%rdi), %zmm19
vpmovsxbd 0x20(%rdi), %xmm19
vpmovzxbd 0x20(%rdi), %xmm19
vpmovsxbd 0x20(%rdi), %ymm19
vpmovzxbd 0x20(%rdi), %ymm19
vpmovsxbd 0x20(%rdi), %zmm19
vpmovzxbd 0x20(%rdi), %zmm19
vpmovsxbq 0x20(%rdi), %xmm19
vpmovzxbq 0x20(%rdi), %xmm19
vpmovsxbq 0x20(%rdi), %ymm19
vpmovzxbq 0x20(%rdi), %ymm19
vpmovsxbq 0x20(%rdi), %zmm19
vpmovzxbq 0x20(%rdi), %zmm19
vpmovsxwd 0x20(%rdi), %xmm19
vpmovzxwd 0x20(%rdi), %xmm19
vpmovsxwd 0x20(%rdi), %ymm19
vpmovzxwd 0x20(%rdi), %ymm19
vpmovsxwd 0x20(%rdi), %zmm19
vpmovzxwd 0x20(%rdi), %zmm19
vpmovsxwq 0x20(%rdi), %xmm19
vpmovzxwq 0x20(%rdi), %xmm19
vpmovsxwq 0x20(%rdi), %ymm19
vpmovzxwq 0x20(%rdi), %ymm19
vpmovsxwq 0x20(%rdi), %zmm19
vpmovzxwq 0x20(%rdi), %zmm19
vpmovsxdq 0x20(%rdi), %xmm19
vpmovzxdq 0x20(%rdi), %xmm19
vpmovsxdq 0x20(%rdi), %ymm19
vpmovzxdq 0x20(%rdi), %ymm19
vpmovsxdq 0x20(%rdi), %zmm19
vpmovzxdq 0x20(%rdi), %zmm19
vpmovwb %xmm19, 0x20(%rdi)
vpmovswb %xmm19, 0x20(%rdi)
vpmovuswb %xmm19, 0x20(%rdi)
vpmovwb %ymm19, 0x20(%rdi)
vpmovswb %ymm19, 0x20(%rdi)
vpmovuswb %ymm19, 0x20(%rdi)
vpmovwb %zmm19, 0x20(%rdi)
vpmovswb %zmm19, 0x20(%rdi)
vpmovuswb %zmm19, 0x20(%rdi)
vpmovdb %xmm19, 0x20(%rdi)
vpmovsdb %xmm19, 0x20(%rdi)
vpmovusdb %xmm19, 0x20(%rdi)
vpmovdb %ymm19, 0x20(%rdi)
vpmovsdb %ymm19, 0x20(%rdi)
vpmovusdb %ymm19, 0x20(%rdi)
vpmovdb %zmm19, 0x20(%rdi)
vpmovsdb %zmm19, 0x20(%rdi)
vpmovusdb %zmm19, 0x20(%rdi)
vpmovqb %xmm19, 0x20(%rdi)
vpmovsqb %xmm19, 0x20(%rdi)
vpmovusqb %xmm19, 0x20(%rdi)
vpmovqb %ymm19, 0x20(%rdi)
vpmovsqb %ymm19, 0x20(%rdi)
vpmovusqb %ymm19, 0x20(%rdi)
vpmovqb %zmm19, 0x20(%rdi)
vpmovsqb %zmm19, 0x20(%rdi)
vpmovusqb %zmm19, 0x20(%rdi)
vpmovdw %xmm19, 0x20(%rdi)
vpmovsdw %xmm19, 0x20(%rdi)
vpmovusdw %xmm19, 0x20(%rdi)
vpmovdw %ymm19, 0x20(%rdi)
vpmovsdw %ymm19, 0x20(%rdi)
vpmovusdw %ymm19, 0x20(%rdi)
vpmovdw %zmm19, 0x20(%rdi)
vpmovsdw %zmm19, 0x20(%rdi)
vpmovusdw %zmm19, 0x20(%rdi)
vpmovqw %xmm19, 0x20(%rdi)
vpmovsqw %xmm19, 0x20(%rdi)
vpmovusqw %xmm19, 0x20(%rdi)
vpmovqw %ymm19, 0x20(%rdi)
vpmovsqw %ymm19, 0x20(%rdi)
vpmovusqw %ymm19, 0x20(%rdi)
vpmovqw %zmm19, 0x20(%rdi)
vpmovsqw %zmm19, 0x20(%rdi)
vpmovusqw %zmm19, 0x20(%rdi)
vpmovqd %xmm19, 0x20(%rdi)
vpmovsqd %xmm19, 0x20(%rdi)
vpmovusqd %xmm19, 0x20(%rdi)
vpmovqd %ymm19, 0x20(%rdi)
vpmovsqd %ymm19, 0x20(%rdi)
vpmovusqd %ymm19, 0x20(%rdi)
vpmovqd %zmm19, 0x20(%rdi)
vpmovsqd %zmm19, 0x20(%rdi)
vpmovusqd %zmm19, 0x20(%rdi)
vaddss 0x20(%rsi), %xmm17, %xmm18
vaddsd 0x20(%rsi), %xmm17, %xmm18
vmulss 0x20(%rsi), %xmm17, %xmm18
vsqrtsd 0x20(%rsi), %xmm17, %xmm18
vminss 0x20(%rsi), %xmm17, %xmm18
vrcp14ss 0x20(%rsi), %xmm17, %xmm18
vrcp14sd 0x20(%rsi), %xmm17, %xmm18
vrsqrt14ss 0x20(%rsi), %xmm17, %xmm18
vgetexpsd 0x20(%rsi), %xmm17, %xmm18
vscalefss 0x20(%rsi), %xmm17, %xmm18
vfmadd231ss 0x20(%rsi), %xmm17, %xmm18
vfmadd213sd 0x20(%rsi), %xmm17, %xmm18
vfnmsub132ss 0x20(%rsi), %xmm17, %xmm18
vcvtss2sd 0x20(%rsi), %xmm17, %xmm18
vcvtsd2ss 0x20(%rsi), %xmm17, %xmm18
vrndscaless $3, 0x20(%rsi), %xmm17, %xmm18
vrndscalesd $3, 0x20(%rsi), %xmm17, %xmm18
vgetmantss $3, 0x20(%rsi), %xmm17, %xmm18
vrangesd $3, 0x20(%rsi), %xmm17, %xmm18
vfixupimmss $3, 0x20(%rsi), %xmm17, %xmm18
vreducesd $3, 0x20(%rsi), %xmm17, %xmm18
vmovss 0x20(%rax), %xmm17
vmovsd 0x20(%rax), %xmm17
vmovss %xmm17, 0x20(%rax)
vmovsd %xmm17, 0x20(%rax)
vmovlps 0x20(%rax), %xmm17, %xmm18
vmovhpd 0x20(%rax), %xmm17, %xmm18
vmovlpd %xmm17, 0x20(%rax)
vmovhps %xmm17, 0x20(%rax)
vmovd 0x20(%rax), %xmm17
vmovq 0x20(%rax), %xmm17
vmovd %xmm17, 0x20(%rax)
vmovq %xmm17, 0x20(%rax)
vmovntdq %zmm17, 0x40(%rax)
vmovntps %ymm17, 0x40(%rax)
vmovntdqa 0x40(%rax), %zmm17
vcomiss 0x20(%rax), %xmm17
vucomisd 0x20(%rax), %xmm17
vcvtsi2sdl 0x20(%rax), %xmm17, %xmm18
vcvtsi2sdq 0x20(%rax), %xmm17, %xmm18
vcvtusi2ssl 0x20(%rax), %xmm17, %xmm18
vcvtusi2sdq 0x20(%rax), %xmm17, %xmm18
{evex} vcvttss2si 0x20(%rax), %rdx
{evex} vcvtsd2si 0x20(%rax), %edx
vcvttsd2usi 0x20(%rax), %rdx
vcvtss2usi 0x20(%rax), %edx
vcvtpd2psx 0x20(%rax), %xmm17
vcvtpd2psy 0x20(%rax), %xmm17
vcvtpd2ps 0x40(%rax), %ymm17
vcvtpd2dq 0x40(%rax), %ymm17
vcvttpd2udq 0x40(%rax), %ymm17
vcvtqq2ps 0x40(%rax), %ymm17
vcvtuqq2ps 0x40(%rax), %ymm17
vcvtph2ps 0x20(%rax), %zmm17
vcvtph2ps 0x20(%rax), %xmm17
vcvtps2ph $4, %zmm17, 0x20(%rax)
vcvtps2ph $4, %xmm17, 0x20(%rax)
vbroadcastss 0x20(%rax), %zmm17
vbroadcastsd 0x20(%rax), %zmm17
vbroadcastf32x2 0x20(%rax), %zmm17
vbroadcastf32x4 0x20(%rax), %zmm17
vbroadcastf64x2 0x20(%rax), %zmm17
vbroadcastf32x8 0x20(%rax), %zmm17
vbroadcastf64x4 0x20(%rax), %zmm17
vbroadcasti32x4 0x20(%rax), %ymm17
vbroadcasti64x4 0x20(%rax), %zmm17
vpbroadcastb 0x20(%rax), %zmm17
vpbroadcastw 0x20(%rax), %zmm17
vpbroadcastd 0x20(%rax), %zmm17
vpbroadcastq 0x20(%rax), %zmm17
vpexpandb 0x20(%rax), %zmm17
vpexpandw 0x20(%rax), %zmm17
vpexpandd 0x20(%rax), %zmm17
vexpandpd 0x20(%rax), %zmm17
vpcompressb %zmm17, 0x20(%rax)
vpcompressw %zmm17, 0x20(%rax)
vcompressps %zmm17, 0x20(%rax)
vpcompressq %zmm17, 0x20(%rax)
vpextrb $1, %xmm17, 0x20(%rax)
vpextrw $1, %xmm17, 0x20(%rax)
vpextrd $1, %xmm17, 0x20(%rax)
vpextrq $1, %xmm17, 0x20(%rax)
vextractps $1, %xmm17, 0x20(%rax)
vpinsrb $1, 0x20(%rax), %xmm17, %xmm18
vpinsrw $1, 0x20(%rax), %xmm17, %xmm18
vpinsrd $1, 0x20(%rax), %xmm17, %xmm18
vpinsrq $1, 0x20(%rax), %xmm17, %xmm18
vinsertps $1, 0x20(%rax), %xmm17, %xmm18
vinsertf32x4 $1, 0x20(%rax), %zmm17, %zmm18
vinserti64x2 $1, 0x20(%rax), %ymm17, %ymm18
vinsertf64x4 $1, 0x20(%rax), %zmm17, %zmm18
vinserti32x8 $1, 0x20(%rax), %zmm17, %zmm18
vextractf32x4 $1, %zmm17, 0x20(%rax)
vextracti64x4 $1, %zmm17, 0x20(%rax)
vpsrld %xmm17, %zmm18, %zmm19
vpsrld 0x20(%rax), %zmm18, %zmm19
vpsllq 0x20(%rax), %ymm18, %ymm19
vpsraw 0x20(%rax), %zmm18, %zmm19
vpsrad $3, 0x40(%rax), %zmm19
vpslldq $3, 0x40(%rax), %zmm19
vprold $3, 0x40(%rax), %zmm19
vpshufd $3, 0x40(%rax), %zmm19
vpshufhw $3, 0x40(%rax), %zmm19
vshufps $3, 0x40(%rax), %zmm18, %zmm19
vcmpps $3, 0x40(%rax), %zmm18, %k1
vcmpsd $3, 0x20(%rax), %xmm18, %k1
vpcmpub $3, 0x40(%rax), %zmm18, %k1
vptestmd 0x40(%rax), %zmm18, %k1
vptestnmb 0x40(%rax), %zmm18, %k1
vpternlogd $3, 0x40(%rax), %zmm18, %zmm19
valignq $3, 0x40(%rax), %zmm18, %zmm19
vfpclasspsz $3, 0x40(%rax), %k1
vfpclasssd $3, 0x20(%rax), %k1
vdbpsadbw $3, 0x40(%rax), %zmm18, %zmm19
vpconflictd 0x40(%rax), %zmm19
vplzcntq 0x40(%rax), %zmm19
vgf2p8affineqb $3, 0x40(%rax), %zmm18, %zmm19
vpshldvw 0x40(%rax), %zmm18, %zmm19
vpclmulqdq $3, 0x40(%rax), %zmm18, %zmm19
vaesenc 0x40(%rax), %zmm18, %zmm19
vcvtne2ps2bf16 0x40(%rax), %zmm18, %zmm19
vcvtneps2bf16 0x40(%rax), %ymm19
vdpbf16ps 0x40(%rax), %zmm18, %zmm19
vmovaps %fs:0x40(%r12,%rsi,8), %zmm3
vgatherdps 0x20(%rax,%zmm1,4), %zmm2{%k1}
