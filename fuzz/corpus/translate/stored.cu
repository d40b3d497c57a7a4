struct node { int v; node *next; float *rows[2]; };
__device__ node *head;
__constant__ node top;
__device__ node make(int v, node *next) { node n = { v, next, { nullptr, next->rows[1] } }; return n; }
__device__ void push(node **at, node *n) { n->next = *at; *at = n; }
__global__ void k(float **rows, node *list, char *pool, node by, int n) {
  __shared__ node s;
  rows[0] = rows[n]++ + *top.rows[1];
  *list = make(n, by.next);
  push(&head, list);
  s = *list;
  (n ? rows[0] : s.rows[1])[n] = 1;
  memcpy(&s, list, sizeof s);
  ((node *)(pool + 64))->next = s.next;
}
