// Repositories of Java without a build tool: a script compiles the sources, the tests and the vendored libraries, and a
// small runner writes TAP. The dependencies are sources in third_party.
import type { Files, LanguageRules } from '../task.ts'

const RUNNER = `package testing;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Runs the methods test* of all classes *Test, or of the named classes, and prints TAP. */
public final class Runner {
    public static void main(String[] names) throws Exception {
        List<String> classes = new ArrayList<>(Arrays.asList(names));
        if (classes.isEmpty()) find(new File("out"), "", classes);
        int count = 0;
        int failed = 0;
        for (String name : classes) {
            Class<?> type = Class.forName(name);
            Method[] methods = type.getDeclaredMethods();
            Arrays.sort(methods, Comparator.comparing(Method::getName));
            for (Method method : methods) {
                if (!method.getName().startsWith("test")) continue;
                method.setAccessible(true);
                count++;
                String title = count + " - " + name + "." + method.getName();
                try {
                    var constructor = type.getDeclaredConstructor();
                    constructor.setAccessible(true);
                    method.invoke(constructor.newInstance());
                    System.out.println("ok " + title);
                } catch (InvocationTargetException error) {
                    failed++;
                    System.out.println("not ok " + title);
                    System.out.println("  # " + error.getCause());
                }
            }
        }
        System.out.println("1.." + count);
        if (failed > 0 || count == 0) System.exit(1);
    }

    private static void find(File folder, String prefix, List<String> classes) {
        File[] files = folder.listFiles();
        if (files == null) return;
        Arrays.sort(files);
        for (File file : files) {
            if (file.isDirectory()) find(file, prefix + file.getName() + ".", classes);
            else if (file.getName().endsWith("Test.class")) classes.add(prefix + file.getName().replace(".class", ""));
        }
    }
}
`

const CHECK = `package testing;

import java.util.Objects;

public final class Check {
    public interface Work {
        void run() throws Exception;
    }

    public static void equal(Object expected, Object actual) {
        if (!Objects.equals(expected, actual)) throw new AssertionError("expected " + expected + " but was " + actual);
    }

    public static void fails(Class<? extends Throwable> type, Work work) {
        try {
            work.run();
        } catch (Throwable error) {
            if (type.isInstance(error)) return;
            throw new AssertionError("expected " + type.getName() + " but was " + error);
        }
        throw new AssertionError("expected " + type.getName());
    }
}
`

const BUILD = `#!/bin/sh
# Compiles everything and runs the tests.
set -e
rm -rf out
mkdir -p out
javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -nowarn -d out $(find src third_party -name '*.java')
`

/** A vendored library: a list of pairs sorted by key. */
const LISTS: Files = {
  'third_party/lists/README.md': '# lists 2.3.0\n\nVendored sources. Do not edit.\n',
  'third_party/lists/com/harbor/lists/Lists.java': `package com.harbor.lists;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

public final class Lists {
    private Lists() {}

    public static <A, B> List<B> map(List<A> list, Function<A, B> change) {
        List<B> changed = new ArrayList<>();
        for (A each : list) changed.add(change.apply(each));
        return changed;
    }

    public static <A> List<List<A>> chunk(List<A> list, int size) {
        List<List<A>> chunks = new ArrayList<>();
        for (int from = 0; from < list.size(); from += size)
            chunks.add(new ArrayList<>(list.subList(from, Math.min(list.size(), from + size))));
        return chunks;
    }
}
`,
}

const RUNNER_PATH = 'src/test/java/testing/Runner.java'
const CHECK_PATH = 'src/test/java/testing/Check.java'

export const JAVA: LanguageRules = {
  language: 'java',
  command: 'sh scripts/test.sh',
  judge: 'sh scripts/judge.sh',
  manifest: (id) => ({
    'README.md': `# ${id}\n\nJava 17. Run the tests with \`sh scripts/test.sh\`. Libraries are in third_party.\n`,
    'scripts/test.sh': `${BUILD}java -XX:+UseSerialGC -cp out testing.Runner\n`,
    [RUNNER_PATH]: RUNNER,
    [CHECK_PATH]: CHECK,
    ...LISTS,
  }),
  hidden: (_, { hidden }) => ({
    'scripts/judge.sh': `${BUILD}java -XX:+UseSerialGC -cp out testing.Runner HiddenTest\n`,
    'src/test/java/HiddenTest.java': hidden,
    [RUNNER_PATH]: RUNNER,
    [CHECK_PATH]: CHECK,
  }),
}

export const main = (name: string): string => `src/main/java/${name}.java`
export const test = (name: string): string => `src/test/java/${name}.java`
