import 'package:pointycastle/export.dart';

final cipher = GCMBlockCipher(AESEngine());
