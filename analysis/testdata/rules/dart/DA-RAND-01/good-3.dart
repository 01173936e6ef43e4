import 'package:uuid/uuid.dart';

final sessionId = const Uuid().v4();
