/** Marks what may change. */
@Target({ElementType.TYPE, ElementType.METHOD})
@Retention(RetentionPolicy.RUNTIME)
public @interface Unstable {
    /** Since when. */
    String since() default "1." + "0";
    int level();
    Class<?>[] users() default {};
    String NONE = "";
    enum Grade { LOW, HIGH }
}
