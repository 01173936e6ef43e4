
package shop;
import java.io.*;
import java.security.*;
import java.util.*;
import javax.crypto.*;
public class Tool {
  void seal(String name) throws Exception { Cipher cipher = Cipher.getInstance(name); }
}
