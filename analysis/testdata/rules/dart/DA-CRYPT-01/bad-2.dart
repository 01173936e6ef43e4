import 'package:pointycastle/export.dart';

Uint8List lock(Uint8List key, Uint8List data) {
  final cipher = ECBBlockCipher(AESEngine()); // ← here
  cipher.init(true, KeyParameter(key));
  return cipher.process(data);
}
