
package shop;
import java.io.*;
import java.security.*;
import java.util.*;

public class Tool {
  String token() { String resetToken = Long.toString(new SecureRandom().nextLong()); return resetToken; }
}
