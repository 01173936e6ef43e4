
package shop;
import java.io.*;
import java.security.*;
import java.util.*;

public class Tool {
  long delay() { long jitter = new Random().nextInt(100); return jitter; }
}
