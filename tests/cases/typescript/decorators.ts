// About the part.
@Component({ selector: 'part' })
export class Part {
  @Input() size: number;
  @Output()
  changed = new EventEmitter<number>();
  @Listen('click')
  @Once
  onClick(@Event() event: MouseEvent, other: string) {}
}
export @sealed class Closed {}
