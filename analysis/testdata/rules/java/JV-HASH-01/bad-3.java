
package shop;
import java.io.*;
import java.security.*;
import java.util.*;
import org.apache.commons.codec.digest.DigestUtils;
public class Tool {
  String store(String password) { return DigestUtils.md5Hex(password); } // ← here
}
