import Testing

@testable import JSONText

@Suite struct XXH64Tests {
  /// Length of the pattern's prefix, and what the reference implementation makes of it.
  ///
  /// With xxHash 0.8, by seed 0 and by seed 2,654,435,761. The lengths stand on both sides of each step of the
  /// algorithm: 4, 8 and 32 bytes.
  static let vectors: [(Int, UInt64, UInt64)] = [
    (0, 0xEF46_DB37_51D8_E999, 0xAC75_FDA2_929B_17EF), (1, 0xE934_A84A_DB05_2768, 0x5014_6076_43A9_B4C3),
    (3, 0xA9CF_36B4_1F9E_7D09, 0xF251_FEE9_B930_FDCB), (4, 0x435F_59A3_3B7E_B3D1, 0x4C87_0935_04C2_C22F),
    (5, 0x75EF_30AE_AC84_70BA, 0x9264_022F_A875_AB43), (7, 0x651C_1BB8_102D_53EA, 0x88AD_06CF_18E2_2983),
    (8, 0x538C_AC3B_18F9_EF8E, 0x74CE_1195_67BB_DC94), (9, 0x8205_BFAA_3589_D37E, 0xD7F7_1BF4_1DDE_A568),
    (11, 0x62FF_826A_CEC6_1FB0, 0x5A08_5768_8026_115D), (12, 0x52B6_AFE4_26C6_92FF, 0x418E_6C5D_937C_EFEC),
    (15, 0x2411_84D4_482F_F811, 0xF5AC_2244_AC64_C6B0), (16, 0x2B72_A043_E551_FE02, 0xCA9F_5263_4072_8392),
    (31, 0x4071_DD13_10FA_5DA9, 0x06FE_EA90_6359_ACC2), (32, 0x13EE_8A64_346F_0691, 0x0468_47F8_78F1_59FF),
    (33, 0xF756_1949_9E2E_2E99, 0x79DD_17C5_3A06_6526), (36, 0xCD7B_59A4_431D_8F19, 0xAFD1_2F02_6D72_529E),
    (40, 0xF410_4B61_6A9D_9F92, 0xE0A3_8AC2_BFF5_0454), (63, 0x63A8_9BD4_F10C_9D1E, 0xA81C_32B5_EDA9_8B21),
    (64, 0xFB24_D94D_E825_912F, 0xF026_58AF_9E7C_086A), (65, 0xB853_7309_01E1_DAEE, 0x93A4_69C0_3E20_50E0),
    (100, 0x8A5B_7A72_E578_E053, 0xE31C_1DBF_81FB_A5A6), (255, 0x7F88_A9E5_86B1_7063, 0xB91E_1B71_83EA_3C59),
    (256, 0x6EA2_794E_DBC1_2721, 0xD4D3_800F_A1FF_EACF), (300, 0xCF7D_4933_7E22_FC6B, 0xF3F3_C455_0D9C_2537),
  ]
  static let pattern = (0..<300).map { UInt8(truncatingIfNeeded: (UInt64($0) &* 2_654_435_761) >> 24) }

  @Test("hashes are those of the reference implementation", arguments: vectors)
  func reference(_ length: Int, _ unseeded: UInt64, _ seeded: UInt64) {
    #expect(XXH64.hash(Array(Self.pattern.prefix(length))) == unseeded)
    #expect(XXH64.hash(Array(Self.pattern.prefix(length)), seed: 2_654_435_761) == seeded)
  }

  @Test("every length up to 70 hashes as by the reference implementation, with seeds and without")
  func lengths() {
    var hashes: [UInt8] = []
    func note(_ hash: UInt64) { withUnsafeBytes(of: hash.littleEndian) { hashes += $0 } }
    for length in 0...70 {
      note(XXH64.hash(Array(Self.pattern.prefix(length))))
      note(XXH64.hash(Array(Self.pattern[length..<2 * length]), seed: UInt64(length) &* 0x9E37_79B9_7F4A_7C15))
    }
    // Of libxxhash 0.8.1's hashes of the same.
    #expect(XXH64.hash(hashes) == 0xCB86_982A_2C6C_CF38)
  }

  @Test("texts hash as published")
  func texts() {
    #expect(XXH64.hash(Array("a".utf8)) == 0xD24E_C4F1_A98C_6E5B)
    #expect(XXH64.hash(Array("abc".utf8)) == 0x44BC_2CF5_AD77_0999)
    #expect(XXH64.hash(Array("Nobody inspects the spammish repetition".utf8)) == 0xFBCE_A83C_8A37_8BF1)
  }

  @Test("where the bytes lie in memory means nothing")
  func alignment() {
    for offset in 0..<8 {
      let moved = Array(repeating: UInt8(0), count: offset) + Self.pattern
      let hash = moved.withUnsafeBytes { XXH64.hash(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
      #expect(hash == XXH64.hash(Self.pattern))
    }
  }

  @Test("every flipped bit is seen")
  func flippedBits() {
    let hash = XXH64.hash(Self.pattern)
    for bit in 0..<Self.pattern.count * 8 {
      var damaged = Self.pattern
      damaged[bit / 8] ^= 1 << (bit % 8)
      #expect(XXH64.hash(damaged) != hash)
    }
  }
}
